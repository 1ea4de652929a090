# What must be so before anything is configured: each failure is one message with its remedy.
set(_least_GNU 12)
set(_least_Clang 14)
if(NOT DEFINED _least_${CMAKE_CXX_COMPILER_ID})
  message(STATUS "openreg: ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} is an untried compiler")
elseif(CMAKE_CXX_COMPILER_VERSION VERSION_LESS _least_${CMAKE_CXX_COMPILER_ID})
  message(FATAL_ERROR "openreg needs g++ 12 or newer, or clang 14 or newer; ${CMAKE_CXX_COMPILER} is "
    "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}. Install a newer one and name it: "
    "CXX=g++-12 cmake --fresh ...")
endif()

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  message(STATUS "openreg: no CMAKE_BUILD_TYPE given, taking Release")
  set_property(CACHE CMAKE_BUILD_TYPE PROPERTY VALUE Release)
endif()

if("thread" IN_LIST OPENREG_SANITIZE AND "address" IN_LIST OPENREG_SANITIZE)
  message(FATAL_ERROR "OPENREG_SANITIZE: thread and address exclude each other. Use one build tree for each.")
endif()
if(OPENREG_SANITIZE)
  list(JOIN OPENREG_SANITIZE "," _sanitizers)
  add_compile_options(-fsanitize=${_sanitizers} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${_sanitizers})
endif()

# Ninja's own choice is two jobs more than there are cores; a file with libtorch's headers takes up to 1 GB.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_JOB_POOL_COMPILE)
  cmake_host_system_information(RESULT _cores QUERY NUMBER_OF_LOGICAL_CORES)
  set_property(GLOBAL APPEND PROPERTY JOB_POOLS openreg_compile=${_cores})
  set(CMAKE_JOB_POOL_COMPILE openreg_compile)
endif()
