#!/usr/bin/env bash
# libtorch as given to this build, and put into the layout of the official zip: lib/ include/ share/cmake/Torch.
. "$(dirname "$0")/common.sh"
here=$(cd "$(dirname "$0")" && pwd)
config=$OPENREG_TORCH_DIR

build_and_run() { # build_and_run TORCH_DIR: a program, and the configure step of openreg itself
  attempt cmake -G Ninja -S "$here/layout_program" -B "$work/program" -DCMAKE_BUILD_TYPE=Debug \
    "-DOPENREG_SOURCE=$OPENREG_SOURCE" "$@"
  expect_status 0
  attempt cmake --build "$work/program" -j 1; expect_status 0
  attempt "$work/program/layout_program"; expect_status 0; expect out "sum 6"
  attempt cmake -G Ninja -S "$OPENREG_SOURCE" -B "$work/openreg" "$@"
  expect_status 0; expect out "openreg: libtorch"
}
case_given() {
  build_and_run "-DTorch_DIR=$config"
  root=$(cd "$config/../../.." && pwd)
  [ -d "$root/usr/include/torch" ] || return 0
  # A prefix from Debian's packages must not mix with the host's libraries.
  LD_TRACE_LOADED_OBJECTS=1 attempt "$work/program/layout_program"
  foreign=$(grep ' => ' "$work/out" | grep -vF " => $root/")
  [ -z "$foreign" ] || fail "not from the prefix: $foreign"
}

# The zip's TorchConfig.cmake is the one that Debian ships too, but for the number of folders up to the root; what
# it takes from Caffe2's config is made here, with the link options that a prefix needs.
case_zip() {
  root=$(cd "$config/../../.." && pwd)
  if [ ! -d "$root/usr/include/torch" ]; then # no prefix from Debian's packages: the layout given is the zip's
    build_and_run "-DCMAKE_PREFIX_PATH=$root"
    return
  fi
  libraries=$root/usr/lib/x86_64-linux-gnu zip="$work/libtorch"
  mkdir -p "$zip/lib" "$zip/share/cmake/Torch" "$zip/share/cmake/Caffe2"
  ln -s -t "$zip/lib" "$libraries"/libtorch*.so "$libraries"/libc10*.so
  ar rc "$zip/lib/libkineto.a"
  ln -s "$root/usr/include" "$zip/include"
  cp "$config/TorchConfigVersion.cmake" "$zip/share/cmake/Torch"
  sed 's|/\.\./\.\./\.\./\.\./|/../../../|' "$libraries/cmake/Torch/TorchConfig.cmake" >"$zip/share/cmake/Torch/TorchConfig.cmake"
  loader=$root/usr/lib64/ld-linux-x86-64.so.2
  cat >"$zip/share/cmake/Caffe2/Caffe2Config.cmake" <<END
foreach(name c10 torch_cpu torch)
  add_library(\${name} SHARED IMPORTED)
  set_target_properties(\${name} PROPERTIES IMPORTED_LOCATION "$zip/lib/lib\${name}.so")
endforeach()
set_target_properties(c10 torch_cpu PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "$zip/include")
set_target_properties(torch_cpu PROPERTIES INTERFACE_LINK_LIBRARIES c10)
set_target_properties(torch PROPERTIES INTERFACE_LINK_LIBRARIES "-Wl,--no-as-needed;torch_cpu;-Wl,--as-needed;c10")
target_link_options(c10 INTERFACE "LINKER:-rpath,$libraries:$libraries/openblas-pthread:$root/usr/lib"
  "LINKER:--disable-new-dtags,--allow-shlib-undefined")
if(EXISTS "$loader")
  target_link_options(c10 INTERFACE "LINKER:--dynamic-linker=$loader")
endif()
END
  build_and_run "-DCMAKE_PREFIX_PATH=$zip"
}
run_case "$@"
