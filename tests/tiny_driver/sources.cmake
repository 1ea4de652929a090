# The driver's sources when the tiny driver lies in src/device/driver.
set(openreg_driver_files device.cpp error.cpp memory.cpp status.cpp stream.cpp)
