# Warnings for our own targets only; never exported.
add_library(openreg_warnings INTERFACE)
target_compile_options(openreg_warnings INTERFACE -Wall -Wextra -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  $<$<BOOL:${OPENREG_WERROR}>:-Werror>)
