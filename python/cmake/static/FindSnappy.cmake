# Snappy as the archive that Debian has beside the shared library; its own CMake package names the latter.
if(TARGET Snappy::snappy)
  return()
endif()
find_library(snappy_archive libsnappy.a REQUIRED)
find_path(snappy_headers snappy.h REQUIRED)
add_library(Snappy::snappy STATIC IMPORTED GLOBAL)
set_target_properties(Snappy::snappy PROPERTIES IMPORTED_LOCATION ${snappy_archive} INTERFACE_INCLUDE_DIRECTORIES ${snappy_headers})
