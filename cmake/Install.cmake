# SPDX-License-Identifier: Apache-2.0
#
# cmake --install: a copy that runs from anywhere.
#
#     bin/maeotis                 the launcher
#     libexec/maeotis/            the program and the benchmarks
#     lib/libmaeotis_bmi.so       the sea as a library (bmi/)
#     share/maeotis/              depth maps, scenarios and their schema, the Python part; python/ is for PYTHONPATH
#     include/, lib/cmake/maeotis/  for kinetics modules of the user's own, and for users of the library: find_package(maeotis)
#     share/man/man1/, share/doc/maeotis/

include(GNUInstallDirs)

install(PROGRAMS maeotis DESTINATION bin)
install(TARGETS maeotis maeotis-bench DESTINATION libexec/maeotis)
install(TARGETS maeotis_bmi LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(FILES bmi/maeotis_bmi.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/maeotis")
install(DIRECTORY python/maeotis DESTINATION share/maeotis/python FILES_MATCHING PATTERN "*.py" PATTERN "py.typed")
install(DIRECTORY bathymetry DESTINATION share/maeotis FILES_MATCHING PATTERN "*.nc" PATTERN "*.asc")
install(DIRECTORY scenarios DESTINATION share/maeotis)
install(DIRECTORY postproc/maeotis_plot postproc/maeotis_report postproc/maeotis_results postproc/maeotis_runs postproc/maeotis_storm
        DESTINATION share/maeotis/postproc FILES_MATCHING
        PATTERN "*.py" PATTERN "page.html" PATTERN "*.css" PATTERN "*.js")
install(CODE "execute_process(COMMAND \"${CMAKE_BINARY_DIR}/maeotis\" schema
    OUTPUT_FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/share/maeotis/scenario.schema.json\" COMMAND_ERROR_IS_FATAL ANY)")
install(FILES kinetics/maeotis_kinetics.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/maeotis")
install(FILES cmake/maeotisConfig.cmake DESTINATION lib/cmake/maeotis)
install(DIRECTORY docs/kinetics_module DESTINATION share/maeotis)
install(FILES docs/maeotis.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES README.md CHANGELOG.md LICENSE CITATION.cff DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# Packages: cmake --preset package && cmake --build --preset package && cpack --preset package (packaging/README.md)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_CONTACT "the maeotis authors")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_PROJECT_CONFIG_FILE "${CMAKE_SOURCE_DIR}/cmake/PackageTools.cmake")
set(CPACK_DEBIAN_PACKAGE_DEPENDS openmpi-bin)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-xarray, python3-matplotlib, python3-netcdf4")
include(CPack)
