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

# openreg_compile_as_one(TARGETS...): all files of a target in one compilation. With a header as large as torch/torch.h
# each compilation costs seconds before its first line: g++ instantiates in every one what the header left pending.
# CMAKE_UNITY_BUILD=OFF takes each file by itself again.
function(openreg_compile_as_one)
  if(NOT DEFINED CMAKE_UNITY_BUILD)
    set_target_properties(${ARGN} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
    # g++ takes the files for headers then, whose unnamed namespaces would differ in each file that includes them.
    foreach(target IN LISTS ARGN)
      target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
    endforeach()
  endif()
endfunction()
