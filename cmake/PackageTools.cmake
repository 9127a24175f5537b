# SPDX-License-Identifier: Apache-2.0
#
# Read by cpack for each kind of package. Without these tools it would make a Debian package that asks for no library,
# and say so in passing only.

if(CPACK_GENERATOR STREQUAL "DEB")
    foreach(tool IN ITEMS dpkg-shlibdeps file)
        find_program(found_${tool} ${tool})
        if(NOT found_${tool})
            message(FATAL_ERROR "${tool} is missing: install dpkg-dev and file")
        endif()
    endforeach()
endif()
