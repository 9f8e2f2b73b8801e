# SPDX-License-Identifier: MIT
file(REMOVE_RECURSE ${WORK})
function(step)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGV}")
  endif()
endfunction()
step(${CMAKE_COMMAND} --install ${BUILD} --component Development --prefix ${WORK}/prefix)
step(${CMAKE_COMMAND} -S ${PROJECT} -B ${WORK}/build -G Ninja -D CMAKE_PREFIX_PATH=${WORK}/prefix
     -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_CXX_FLAGS=${FLAGS} -D CMAKE_BUILD_TYPE=${BUILD_TYPE})
step(${CMAKE_COMMAND} --build ${WORK}/build)
step(${WORK}/build/foreign)
