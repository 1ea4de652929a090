# The relocatable package: find_package(openreg) gives openreg::openreg and needs the same libtorch.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(_package ${CMAKE_INSTALL_LIBDIR}/cmake/openreg)

install(TARGETS openreg openreg_core EXPORT openregTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET openreg_dispatch)
  install(TARGETS openreg_dispatch EXPORT openregTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(DIRECTORY include/openreg DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT openregTargets NAMESPACE openreg:: DESTINATION ${_package})

configure_package_config_file(cmake/openregConfig.cmake.in ${PROJECT_BINARY_DIR}/openregConfig.cmake
  INSTALL_DESTINATION ${_package} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/openregConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/openregConfig.cmake ${PROJECT_BINARY_DIR}/openregConfigVersion.cmake
  DESTINATION ${_package})
