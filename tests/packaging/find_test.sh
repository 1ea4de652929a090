#!/usr/bin/env bash
# What a project's configure step says and does, with find_package and with add_subdirectory.
. "$(dirname "$0")/packaging.sh"

project() { # project NAME: its CMakeLists.txt, from stdin
  mkdir -p "$work/$1"
  { echo "cmake_minimum_required(VERSION 3.24)"; echo "project($1 LANGUAGES CXX)"; cat; } >"$work/$1/CMakeLists.txt"
}
case_other_version() {
  fake_libtorch "$work/libtorch" 2.5.1
  project consumer <<<'find_package(openreg REQUIRED)'
  configure "$work/consumer" "$work/build" "-DCMAKE_PREFIX_PATH=$moved" "-DTorch_DIR=$work/libtorch/share/cmake/Torch"
  expect_status 1
  expect err "this openreg was built with libtorch $OPENREG_TORCH_VERSION, but libtorch 2.5.1 was found in $work/libtorch"
  expect err "or build openreg with this one."
  [ "$(grep -c 'CMake Error' "$work/err")" = 1 ] || fail "more than one error"
}
case_no_libtorch() {
  nowhere="-DTorch_DIR= -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF"
  nowhere="$nowhere -DCMAKE_MAKE_PROGRAM=$(command -v ninja)"
  project consumer <<<'find_package(openreg REQUIRED)'
  # A relative prefix counts from the source folder, where nothing lies: the message shows where it looked.
  # shellcheck disable=SC2086 # several words
  configure "$work/consumer" "$work/build" "-Dopenreg_DIR=$moved/lib/cmake/openreg" $nowhere \
    -DCMAKE_PREFIX_PATH=some/libtorch
  expect_status 1
  expect err 'no TorchConfig.cmake was found with CMAKE_PREFIX_PATH="some/libtorch"'
  expect err "to the absolute path of libtorch $OPENREG_TORCH_VERSION"
  # A project that can do without goes on.
  project optional <<<'find_package(openreg QUIET)
if(openreg_FOUND OR TARGET openreg::openreg)
  message(FATAL_ERROR "found")
endif()'
  # shellcheck disable=SC2086
  configure "$work/optional" "$work/build_optional" "-Dopenreg_DIR=$moved/lib/cmake/openreg" $nowhere
  expect_status 0
}
case_found_twice() {
  project consumer <<'END'
add_subdirectory(inner)
find_package(Torch REQUIRED)
find_package(openreg 0.1 REQUIRED)
find_package(openreg REQUIRED COMPONENTS core)
find_package(openreg QUIET COMPONENTS no_such_part)
if(openreg_FOUND)
  message(FATAL_ERROR "an unknown component was found")
endif()
message(STATUS "for libtorch ${openreg_LIBTORCH_VERSION}")
END
  mkdir "$work/consumer/inner"
  echo 'find_package(openreg REQUIRED)' >"$work/consumer/inner/CMakeLists.txt"
  configure "$work/consumer" "$work/build" "-DCMAKE_PREFIX_PATH=$moved"
  expect_status 0
  expect out "for libtorch $OPENREG_TORCH_VERSION"
}

# The library is not compiled again: a launcher takes each of its objects from the build tree, where there is one.
case_add_subdirectory() {
  cat >"$work/launcher" <<END
#!/usr/bin/env bash
for word; do
  case \$previous in -o) object=\$word ;; -MF) depends=\$word ;; esac
  previous=\$word
done
known=$OPENREG_BUILD/CMakeFiles/openreg_core.dir/\${object##*/openreg_core.dir/}
case \$object in
  */openreg_core.dir/*) [ ! -f "\$known" ] || { echo "\$object:" >"\$depends"; exec cp "\$known" "\$object"; } ;;
esac
exec ${OPENREG_LAUNCHER:-env} "\$@"
END
  chmod +x "$work/launcher"
  project parent <<END
add_subdirectory($OPENREG_SOURCE openreg)
add_executable(app $here/stranger/app.cpp $here/stranger/model.cpp)
target_link_libraries(app PRIVATE openreg::openreg)
install(TARGETS app)
END
  configure "$work/parent" "$work/build" "-DCMAKE_CXX_COMPILER_LAUNCHER=$work/launcher"
  expect_status 0
  # Nothing of ours that was not asked for: no programs, no tests, no options of the build, no install rules.
  attempt cmake --build "$work/build" --target help
  for word in _test openreg_demo openreg_bench; do expect_not out "$word"; done
  expect_not out "install/openreg"
  attempt cmake --build "$work/build" --parallel 2 --target app
  expect_status 0
  attempt "$work/build/app"
  expect_status 0
  expect out "openreg:1 agrees with the CPU"
  attempt cmake --install "$work/build" --prefix "$work/prefix"
  expect_status 0
  found=$(cd "$work/prefix" && find . -type f | sort | paste -sd' ')
  [ "$found" = ./bin/app ] || fail "installed too: $found"
}
run_case "$@"
