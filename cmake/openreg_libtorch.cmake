# Finds libtorch and refuses, each with one message, what cannot work.
string(CONCAT _remedy
  "\nName one of your own (the official zip unpacked, or a distribution's package) by CMAKE_PREFIX_PATH or "
  "Torch_DIR, or by\n  ./dev demo --libtorch DIR\nor fetch one:\n"
  "  cmake -S . -B build/x -DCMAKE_PREFIX_PATH=\"$(tools/get_libtorch 2.6)\"")

# The wanted version is part of the search, so that an older one is refused before its config is run.
find_package(Torch 2.6 QUIET CONFIG)
if(NOT Torch_FOUND)
  if(Torch_CONSIDERED_CONFIGS)
    list(GET Torch_CONSIDERED_CONFIGS 0 _config)
    list(GET Torch_CONSIDERED_VERSIONS 0 _version)
    if(_version VERSION_LESS 2.6 OR _version STREQUAL "unknown")
      message(FATAL_ERROR "openreg needs libtorch 2.6 or newer; ${_config} is version ${_version}.${_remedy}")
    endif()
    message(FATAL_ERROR "libtorch ${_version} in ${_config} cannot be used: ${Torch_NOT_FOUND_MESSAGE}${_remedy}")
  endif()
  message(FATAL_ERROR "libtorch was not found (no TorchConfig.cmake).${_remedy}")
endif()

foreach(_property COMPILE_OPTIONS COMPILE_DEFINITIONS)
  get_target_property(_value torch INTERFACE_${_property})
  if("${_value};${TORCH_CXX_FLAGS}" MATCHES "_GLIBCXX_USE_CXX11_ABI=0")
    message(FATAL_ERROR "The libtorch in ${Torch_DIR} was built with the old C++ library ABI "
      "(_GLIBCXX_USE_CXX11_ABI=0), which openreg does not support. Take the archive whose name contains "
      "cxx11-abi.${_remedy}")
  endif()
endforeach()

message(STATUS "openreg: libtorch ${Torch_VERSION} from ${Torch_DIR}")
if(NOT Torch_VERSION MATCHES "^(2\\.6|2\\.14)\\.")
  message(STATUS "openreg: libtorch ${Torch_VERSION} is untried; 2.6.0 and 2.14.1 are tested")
endif()

# Answers about another libtorch do not count: compile checks (named OPENREG_HAVE_...) are asked again.
set(_found "${Torch_VERSION} ${Torch_DIR}")
if(NOT "${OPENREG_CHECKED_LIBTORCH}" STREQUAL _found)
  get_cmake_property(_answers CACHE_VARIABLES)
  list(FILTER _answers INCLUDE REGEX "^OPENREG_HAVE_")
  foreach(_answer IN LISTS _answers)
    unset(${_answer} CACHE)
  endforeach()
  set(OPENREG_CHECKED_LIBTORCH "${_found}" CACHE INTERNAL "the libtorch that the compile checks asked")
endif()
