# SPDX-License-Identifier: MIT
# Functions for components (static libraries) and tests, which give every target the same warnings and include paths.

add_library(splitscope_warnings INTERFACE)
target_compile_options(splitscope_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual -Wcast-qual
  # In unity builds, names of one file shadow those of another.
  $<$<NOT:$<BOOL:${CMAKE_UNITY_BUILD}>>:-Wshadow>
  # g++ 12 reports impossible overlapping copies inside std::string (GCC bug 105651).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)

# splitscope_component(NAME SOURCES a.cpp … LINK lib …): static library target splitscope_NAME.
function(splitscope_component name)
  cmake_parse_arguments(COMPONENT "" "" "SOURCES;LINK;LINK_PRIVATE" ${ARGN})
  set(target splitscope_${name})
  add_library(${target} STATIC ${COMPONENT_SOURCES})
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}> $<INSTALL_INTERFACE:include/splitscope>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_link_libraries(${target} PUBLIC ${COMPONENT_LINK} PRIVATE ${COMPONENT_LINK_PRIVATE} $<BUILD_INTERFACE:splitscope_warnings>)
endfunction()

# splitscope_optimise_little(TARGET…): code that parses, prints and coordinates does not gain from -O3, which takes a
# third longer to compile.
function(splitscope_optimise_little)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endforeach()
endfunction()

# splitscope_test(NAME SOURCES a.cpp … LINK lib … [COST n]): GoogleTest executable NAME, whose test cases CTest lists
# individually. CTest starts tests of a high COST (seconds of the longest) first, so that none runs alone at the end.
function(splitscope_test name)
  cmake_parse_arguments(TEST "" "COST" "SOURCES;LINK;ENVIRONMENT" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE ${TEST_LINK} GTest::gtest_main splitscope_warnings)
  # Compiling the tests takes longer than running them, so optimise little. At -O0, linkers may take inline functions
  # of the kernels from the tests.
  target_compile_options(${name} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_compile_definitions(${name} PRIVATE SPLITSCOPE_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  if(NOT TEST_COST)
    set(TEST_COST 0)
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES
    PROPERTIES ENVIRONMENT "${TEST_ENVIRONMENT}" TIMEOUT 300 COST ${TEST_COST})
endfunction()
