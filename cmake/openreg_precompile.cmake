# libtorch's headers take seconds a file; targets with many files read them once.
# Files still include what they use: the tidy preset builds without, and sees what is missing.
# Without this option ccache cannot see what g++ takes from a precompiled header, and keeps nothing.
set(openreg_precompile_options $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)

# openreg_precompile(TARGET HEADERS...): a precompiled header of the target's own.
function(openreg_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  target_compile_options(${target} PRIVATE ${openreg_precompile_options})
endfunction()

# openreg_precompile_core(TARGET): the one that the library and the demo share. openreg_dispatch is the first to call it
# and owns it, because it depends on libtorch alone. Macros and position independence must be the same everywhere.
function(openreg_precompile_core target)
  # Each file names the operators that it calls; libtorch's headers then leave the other two thousand out.
  target_compile_definitions(${target} PRIVATE AT_PER_OPERATOR_HEADERS)
  if(target STREQUAL openreg_dispatch)
    openreg_precompile(${target} <ATen/core/Tensor.h> <torch/library.h>)
  else()
    target_precompile_headers(${target} REUSE_FROM openreg_dispatch)
    target_compile_options(${target} PRIVATE ${openreg_precompile_options})
  endif()
endfunction()

# Note [Compiled together]
# With headers as large as libtorch's each compilation costs seconds before its first line: g++ instantiates in every one
# what the header left pending. So the files of a test program are one compilation, and those of the library and the
# demo are one for each subject: few enough that a change is built in seconds. Names in unnamed namespaces are unique in
# what is compiled together. CMAKE_UNITY_BUILD=OFF takes each file by itself again.
function(openreg_set_unity target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON ${ARGN})
  # g++ takes the files for headers then, whose unnamed namespaces would differ in each file that includes them.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()

# openreg_compile_as_one(TARGETS...): all files of a target in one compilation.
function(openreg_compile_as_one)
  if(CMAKE_UNITY_BUILD OR NOT DEFINED CMAKE_UNITY_BUILD)
    foreach(target IN LISTS ARGN)
      openreg_set_unity(${target} UNITY_BUILD_BATCH_SIZE 0)
    endforeach()
  endif()
endfunction()

# openreg_compile_together(TARGET SUBJECT FILES...): these files of a target in one compilation.
function(openreg_compile_together target subject)
  if(CMAKE_UNITY_BUILD OR NOT DEFINED CMAKE_UNITY_BUILD)
    get_target_property(mode ${target} UNITY_BUILD_MODE)
    if(NOT mode STREQUAL GROUP)
      openreg_set_unity(${target} UNITY_BUILD_MODE GROUP)
    endif()
    set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${subject})
  endif()
endfunction()

# openreg_add_subject(NAME FILES...): files of the library about one subject.
function(openreg_add_subject name)
  target_sources(openreg_core PRIVATE ${ARGN})
  openreg_compile_together(openreg_core ${name} ${ARGN})
endfunction()
