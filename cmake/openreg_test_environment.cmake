# Debian's libtorch 2.6 loads UCX, whose SIGSEGV handler would print a backtrace in death tests.
set(ENV{UCX_HANDLE_ERRORS} none)
