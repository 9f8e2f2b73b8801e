# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -DLUPDATE=… -DSOURCE=… -DSCRATCH=… -P check_translations.cmake: fails unless every sentence of the desktop
# and every message of the engine has a finished translation.
file(GLOB files ${SOURCE}/resources/translations/*.ts)
if(NOT files)
  message(FATAL_ERROR "there are no translations")
endif()
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME)
  file(COPY ${file} DESTINATION ${SCRATCH})
  execute_process(COMMAND engine/messages/list_rows.sh . --lupdate WORKING_DIRECTORY ${SOURCE}
    OUTPUT_FILE ${SCRATCH}/messages.cpp COMMAND_ERROR_IS_FATAL ANY)
  execute_process(
    COMMAND ${LUPDATE} -silent -locations none -no-obsolete -I . -recursive ui app/desktop.cpp
      ${SCRATCH}/messages.cpp -ts ${SCRATCH}/${name}
    WORKING_DIRECTORY ${SOURCE} ERROR_QUIET RESULT_VARIABLE result)
  if(result)
    message(FATAL_ERROR "lupdate failed: ${result}")
  endif()
  file(STRINGS ${SCRATCH}/${name} unfinished REGEX "<translation[^>]*unfinished")
  list(LENGTH unfinished count)
  if(count)
    execute_process(COMMAND grep -B2 "unfinished" ${SCRATCH}/${name} OUTPUT_VARIABLE which)
    message(FATAL_ERROR "${name}: ${count} sentences are not translated\n${which}")
  endif()
endforeach()
