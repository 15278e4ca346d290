# simdjson as an archive. Debian has it as a shared library only; its sources come with the Python package pysimdjson.
if(TARGET simdjson::simdjson)
  return()
endif()
execute_process(
  COMMAND ${Python_EXECUTABLE} -c "import importlib.util as u; print(u.find_spec('simdjson').submodule_search_locations[0], end='')"
  OUTPUT_VARIABLE simdjson_folder ERROR_QUIET)
if(NOT EXISTS ${simdjson_folder}/simdjson.cpp)
  message(FATAL_ERROR "No sources of simdjson: pip install pysimdjson, in the environment that builds the wheel")
endif()
add_library(simdjson_archive STATIC ${simdjson_folder}/simdjson.cpp)
target_include_directories(simdjson_archive SYSTEM PUBLIC ${simdjson_folder})
target_compile_features(simdjson_archive PUBLIC cxx_std_17)
target_compile_options(simdjson_archive PRIVATE -w -O3)
set_target_properties(simdjson_archive PROPERTIES POSITION_INDEPENDENT_CODE ON)
add_library(simdjson::simdjson ALIAS simdjson_archive)
