# openreg_precompile(TARGET HEADERS...): libtorch's headers take seconds a file; a target with many files reads them once.
# Files still include what they use: the tidy preset builds without, and sees what is missing.
# Without this option ccache cannot see what g++ takes from a precompiled header, and keeps nothing.
set(openreg_precompile_options $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)

function(openreg_precompile target)
  target_precompile_headers(${target} PRIVATE ${ARGN})
  target_compile_options(${target} PRIVATE ${openreg_precompile_options})
endfunction()
