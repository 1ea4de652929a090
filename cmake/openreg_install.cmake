# The relocatable package. find_package(openreg) gives openreg::openreg, and of the tools those that were installed:
# openreg::dispatch, openreg::dispatch_trace, openreg::inspect.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(_package ${CMAKE_INSTALL_LIBDIR}/cmake/openreg)

# Each part is an install component with an export file of its own, so that a part can be installed alone.
function(openreg_install_part part)
  install(TARGETS ${ARGN} EXPORT openreg_${part}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT openreg_${part}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT openreg_${part}
    OBJECTS DESTINATION ${CMAKE_INSTALL_LIBDIR}/openreg COMPONENT openreg_${part})
  install(EXPORT openreg_${part} NAMESPACE openreg:: FILE openreg_${part}.cmake
    DESTINATION ${_package} COMPONENT openreg_${part})
endfunction()

openreg_install_part(core openreg openreg_core)
if(TARGET openreg_dispatch)
  openreg_install_part(dispatch openreg_dispatch)
endif()
if(TARGET openreg_dispatch_trace)
  openreg_install_part(dispatch_trace openreg_dispatch_trace openreg_dispatch_trace_objects)
  install(TARGETS openreg_dispatch_trace_preload
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT openreg_dispatch_trace)
endif()

if(TARGET openreg_inspect)
  openreg_install_part(inspect openreg_inspect)
endif()

configure_package_config_file(cmake/openregConfig.cmake.in ${PROJECT_BINARY_DIR}/openregConfig.cmake
  INSTALL_DESTINATION ${_package} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/openregConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/openregConfig.cmake ${PROJECT_BINARY_DIR}/openregConfigVersion.cmake
  DESTINATION ${_package} COMPONENT openreg_core)
install(DIRECTORY include/openreg DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT openreg_core
  FILES_MATCHING PATTERN "*.h")
