# The driver's sources. A driver of your own has another list.
set(openreg_driver_files address_space.cpp block_table.cpp copy.cpp device.cpp error.cpp event.cpp host_memory.cpp
  memory.cpp ranges.cpp status.cpp stream.cpp stream_worker.cpp)
