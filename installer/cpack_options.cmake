# SPDX-License-Identifier: GPL-3.0-or-later
# What differs between the kinds of packages: CPack reads this once for each.
if(CPACK_GENERATOR STREQUAL "TGZ")
  # One folder, also where components are packed.
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
endif()
