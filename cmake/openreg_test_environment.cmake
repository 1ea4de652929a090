# Debian's libtorch 2.6 loads UCX, whose SIGSEGV handler would print a backtrace in death tests.
set(ENV{UCX_HANDLE_ERRORS} none)
# Tests ask the ledger which way an operator went; a line for each on stderr would only hide what matters.
set(ENV{OPENREG_FALLBACK_WARN} off)
