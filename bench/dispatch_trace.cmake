# What the dispatch trace costs; needs no device.
find_package(benchmark REQUIRED)
add_executable(dispatch_trace_bench ${CMAKE_CURRENT_LIST_DIR}/dispatch_trace.cpp)
target_link_libraries(dispatch_trace_bench PRIVATE openreg::dispatch_trace benchmark::benchmark openreg_warnings)
