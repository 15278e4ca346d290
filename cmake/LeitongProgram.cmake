# The program `leitong`: src/cli on the library. It sees the public headers only.
file(GLOB cli_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/cli/*.cpp)
list(FILTER cli_sources EXCLUDE REGEX "_test\\.cpp$")
# All but main.cpp, for the tests too: the table of commands leads to everything.
list(FILTER cli_sources EXCLUDE REGEX "/main\\.cpp$")
if(NOT cli_sources)
  return()
endif()
add_library(leitong_cli_parts STATIC ${cli_sources})
target_include_directories(leitong_cli_parts PUBLIC ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(leitong_cli_parts PUBLIC fmt::fmt tomlplusplus::tomlplusplus)
leitong_precompiled(leitong_cli_parts)

if(TARGET leitong)
  add_executable(leitong_cli ${PROJECT_SOURCE_DIR}/src/cli/main.cpp)
  set_target_properties(leitong_cli PROPERTIES OUTPUT_NAME leitong)
  target_link_libraries(leitong_cli PRIVATE leitong_cli_parts leitong)

  # Man page and completions are printed by the program itself, from its table of flags.
  set(LEITONG_GENERATED ${PROJECT_BINARY_DIR}/generated)
  file(MAKE_DIRECTORY ${LEITONG_GENERATED})
  add_custom_command(
    OUTPUT ${LEITONG_GENERATED}/leitong.1 ${LEITONG_GENERATED}/leitong.bash ${LEITONG_GENERATED}/_leitong ${LEITONG_GENERATED}/leitong.fish
    COMMAND leitong_cli help --man > ${LEITONG_GENERATED}/leitong.1
    COMMAND leitong_cli completions bash > ${LEITONG_GENERATED}/leitong.bash
    COMMAND leitong_cli completions zsh > ${LEITONG_GENERATED}/_leitong
    COMMAND leitong_cli completions fish > ${LEITONG_GENERATED}/leitong.fish
    DEPENDS leitong_cli VERBATIM)
  add_custom_target(leitong_man_page ALL DEPENDS ${LEITONG_GENERATED}/leitong.1)

  add_custom_target(leitong_program DEPENDS leitong_cli)  # and what it needs to run from the build's folder

  # jieba's dictionary, model and idf table, compiled from the Debian package. Without it (on another system) the profiles on jieba's words
  # need `leitong data add jieba FOLDER` once.
  set(LEITONG_JIEBA /usr/lib/python3/dist-packages/jieba CACHE PATH "Folder of the Python package jieba")
  if(EXISTS ${LEITONG_JIEBA}/dict.txt)
    set(LEITONG_JIEBA_DATA ${PROJECT_BINARY_DIR}/share/leitong/jieba.data)
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/share/leitong)
    add_custom_command(
      OUTPUT ${LEITONG_JIEBA_DATA}
      COMMAND leitong_cli data add jieba ${LEITONG_JIEBA} --output ${LEITONG_JIEBA_DATA}
      DEPENDS leitong_cli ${LEITONG_JIEBA}/dict.txt VERBATIM)
    add_custom_target(leitong_jieba_data ALL DEPENDS ${LEITONG_JIEBA_DATA})
    add_dependencies(leitong_program leitong_jieba_data)
  else()
    message(WARNING "${LEITONG_JIEBA}/dict.txt is not there (Debian: python3-jieba): jieba's words need `leitong data add jieba` later")
  endif()
endif()
