# Unit tests stand beside their source: one test program a room. What crosses rooms stands in tests/.
find_package(GTest REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
include(GoogleTest)

# When a test runs is a property of it, its label: one or more of these, joined by "+". A test of a room says it in a line of its source,
# "// tiers: plain+sanitized"; one that says nothing is sanitized. ./test runs the tiers, tests/check_tiers.py finds what none runs.
#   plain      without sanitizers, which would distort what is tested or take too long for it
#   sanitized  under the address and undefined behaviour sanitizers
#   server     what starts servers for minutes: in ./test --full
#   threads    under the thread sanitizer
set(LEITONG_TIERS plain sanitized server threads)
foreach(tier ${LEITONG_TIERS})
  add_custom_target(tests_${tier})  # the programs of its tests
endforeach()

# leitong_built_for(tiers targets...)
function(leitong_built_for tiers)
  string(REPLACE "+" ";" list "${tiers}")
  foreach(tier ${list})
    if(NOT tier IN_LIST LEITONG_TIERS)
      message(FATAL_ERROR "\"${tiers}\": a tier of tests is one of ${LEITONG_TIERS}")
    endif()
    add_dependencies(tests_${tier} ${ARGN})
  endforeach()
endfunction()

# Sources by their tiers: sets `tiers_of` (a list of tiers, without duplicates) and, of each, `sources_<tiers>`.
macro(leitong_sort_by_tier)
  set(tiers_of "")
  foreach(source ${ARGN})
    file(STRINGS ${source} tiers REGEX "^// tiers: " LIMIT_COUNT 1)
    string(REGEX REPLACE "^// tiers: " "" tiers "${tiers}")
    if(NOT tiers)
      set(tiers sanitized)
    endif()
    if(NOT tiers IN_LIST tiers_of)
      list(APPEND tiers_of ${tiers})
      set(sources_${tiers} "")
    endif()
    list(APPEND sources_${tiers} ${source})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  endforeach()
endmacro()

# Half of what a test takes to compile are the headers that all have. Tests with options of their own do without.
add_library(leitong_test_headers OBJECT ${PROJECT_SOURCE_DIR}/tests/headers.cpp)
target_link_libraries(leitong_test_headers PRIVATE GTest::gtest)
target_compile_options(leitong_test_headers PRIVATE -fPIE ${LEITONG_TEST_OPTIONS})
target_precompile_headers(leitong_test_headers PRIVATE <algorithm> <filesystem> <fstream> <functional> <map> <memory> <random> <set> <string> <vector> <gtest/gtest.h>)

# These rooms are tested without any that stands above them; what the others do shows in whole jobs.
set(alone processor text storage hamming cluster segment fingerprint similarity parquet warc records candidates store report net remote)
set(threads_hamming "*Thread*:*Published*:*Exception*:*FailingSink*:*ABudget*:*OfTwoSides*")  # what several threads do
set(threads_candidates ${threads_hamming})
set(threads_store "*")
foreach(room ${LEITONG_ROOMS} cli)
  set(library leitong_${room})
  if(room STREQUAL "cli")
    set(library leitong_cli_parts)
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${room}/*_test.cpp)
  if(NOT TARGET ${library} OR room IN_LIST LEITONG_LEFT_OUT)
    continue()
  endif()
  leitong_sort_by_tier(${sources})
  foreach(tiers ${tiers_of})
    # The sanitized ones, which nearly all are: ROOM_test; others: ROOM_server_test.
    set(program ${room}_test)
    if(NOT tiers STREQUAL "sanitized")
      string(REPLACE "+" "_" program "${room}_${tiers}_test")
    endif()
    add_executable(${program} ${sources_${tiers}})
    target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/tests)  # support/
    target_link_libraries(${program} PRIVATE ${library} GTest::gtest GTest::gtest_main)
    if(NOT room IN_LIST alone)
      target_link_libraries(${program} PRIVATE leitong_inside)
    endif()
    if(room MATCHES "^(text|records|server)$")  # simdjson as a judge, and to read corpora
      target_link_libraries(${program} PRIVATE simdjson::simdjson)
    endif()
    if(room STREQUAL "warc")  # bodies are packed for it
      pkg_check_modules(BROTLIENC REQUIRED IMPORTED_TARGET libbrotlienc)
      target_link_libraries(${program} PRIVATE PkgConfig::BROTLIENC PkgConfig::ZSTD PkgConfig::LZ4 ZLIB::ZLIB)
    endif()
    target_compile_options(${program} PRIVATE ${LEITONG_TEST_OPTIONS})
    if(room STREQUAL "store")  # its crash states are made by the tests themselves, by the million
      target_compile_options(${program} PRIVATE $<$<CONFIG:Debug>:-O2> $<$<BOOL:${LEITONG_TEST_OPTIONS}>:-O1>)
    else()
      target_precompile_headers(${program} REUSE_FROM leitong_test_headers)
    endif()
    leitong_built_for(${tiers} ${program})
    if(program STREQUAL "search_server_test")  # suites that share an OpenSearch, which takes seconds to start
      foreach(suite One Three Next)
        add_test(NAME search.SearchServer${suite} COMMAND ${program} --gtest_filter=SearchServer${suite}.*)
        set_tests_properties(search.SearchServer${suite} PROPERTIES TIMEOUT 900 LABELS server SKIP_REGULAR_EXPRESSION "needs OpenSearch;needs Java"
          RESOURCE_LOCK opensearch)
      endforeach()
    else()
      gtest_discover_tests(${program} TEST_PREFIX ${room}. DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 600 LABELS ${tiers})
    endif()
    if(threads_${room})
      gtest_discover_tests(${program} TEST_PREFIX threads.${room}. TEST_FILTER "${threads_${room}}" TEST_LIST ${program}_threads DISCOVERY_MODE PRE_TEST
        PROPERTIES TIMEOUT 900 LABELS threads)
      leitong_built_for(threads ${program})
    endif()
  endforeach()
endforeach()
pkg_check_modules(ICU IMPORTED_TARGET icu-uc icu-i18n)
if(ICU_FOUND AND TARGET text_test)
  target_link_libraries(text_test PRIVATE PkgConfig::ICU)
endif()

# The vectors of docs/fingerprint-spec.md: by this library, with the kernels of each instruction set, and by an implementation that shares no
# code with it.
if(TARGET fingerprint_test)
  target_compile_definitions(fingerprint_test PRIVATE LEITONG_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_compile_definitions(similarity_test PRIVATE LEITONG_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  # Where the processor lacks a set, the test of it is skipped, and says so.
  foreach(set portable avx2 avx512)
    add_test(NAME spec.${set} COMMAND fingerprint_test --gtest_filter=Vectors.*)
    set_tests_properties(spec.${set} PROPERTIES ENVIRONMENT LEITONG_ISA=${set} SKIP_REGULAR_EXPRESSION "this processor lacks")
  endforeach()
endif()
add_test(NAME spec.vectors COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tests/spec/check_vectors.py)
add_test(NAME spec.self COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tests/spec/check_vectors.py --self-test)

# The layer checker, and that it catches what it is for.
add_test(NAME layers COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tests/check_layers.py ${PROJECT_SOURCE_DIR})
add_test(NAME layers.self COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tests/check_layers.py --self-test)

# The READMEs say the same, and links lead to files.
add_test(NAME readmes COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tests/check_readmes.py ${PROJECT_SOURCE_DIR})
add_test(NAME readmes.self COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tests/check_readmes.py --self-test)

# Tables of figures in pages are what the results that they name give.
add_test(NAME figures COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/bench/figures.py --check ${PROJECT_SOURCE_DIR})

if(NOT TARGET leitong_cli)
  return()
endif()

# Tests that cross rooms: tests/*_test.cpp, one program each.
file(GLOB crossing CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/*_test.cpp)
foreach(source ${crossing})
  get_filename_component(name ${source} NAME_WE)
  add_executable(crossing_${name} ${source})
  target_include_directories(crossing_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(crossing_${name} PRIVATE leitong_inside GTest::gtest GTest::gtest_main)
  target_compile_definitions(crossing_${name} PRIVATE LEITONG_SOURCE_DIR="${PROJECT_SOURCE_DIR}" LEITONG_PROGRAM="$<TARGET_FILE:leitong_cli>"
    LEITONG_PYTHON="${Python3_EXECUTABLE}")
  add_dependencies(crossing_${name} leitong_cli)
  gtest_discover_tests(crossing_${name} TEST_PREFIX tests. DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 900 LABELS sanitized)
  leitong_built_for(sanitized crossing_${name})
endforeach()

# Stores on real servers: the same demands on each, and a soak with faults. A test a store, for servers take their time to start.
file(GLOB remote_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/remote/*_test.cpp)
if(remote_sources)
  add_executable(stores_test ${remote_sources})
  target_include_directories(stores_test PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(stores_test PRIVATE leitong_inside ZLIB::ZLIB GTest::gtest GTest::gtest_main)
  target_compile_options(stores_test PRIVATE ${LEITONG_TEST_OPTIONS})
  set(tests)
  foreach(store Memory Directory Redis RedisArticlePlain RedisArticlePositioned RedisCluster RedisClusterArticlePlain OpenSearch OpenSearch3Nodes)
    set(filter Stores/*/${store})
    if(store STREQUAL "OpenSearch")  # one server for all layouts
      string(APPEND filter ":Stores/*/OpenSearchArticle*")
    endif()
    add_test(NAME conformance.${store} COMMAND stores_test --gtest_filter=${filter})
    list(APPEND tests conformance.${store})
  endforeach()
  foreach(store Redis OpenSearch)
    add_test(NAME soak.${store} COMMAND stores_test --gtest_filter=SoakTest.${store})
    list(APPEND tests soak.${store})
    add_test(NAME adopt.${store} COMMAND stores_test --gtest_filter=Adopt${store}.*)
    list(APPEND tests adopt.${store})
  endforeach()
  set_tests_properties(${tests} PROPERTIES TIMEOUT 1800 SKIP_REGULAR_EXPRESSION "needs the Debian package;needs OpenSearch;needs Java")
  # A Java program after the articles, and Leitong, on the same server.
  foreach(server redis search)
    foreach(layout plain positioned)
      add_test(NAME article.${server}.${layout} COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tests/remote/article_test.py
        --program $<TARGET_FILE:leitong_cli> ${server} ${layout})
      set_tests_properties(article.${server}.${layout} PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77)
    endforeach()
  endforeach()
  set_tests_properties(conformance.OpenSearch conformance.OpenSearch3Nodes soak.OpenSearch adopt.OpenSearch article.search.plain article.search.positioned
    PROPERTIES RESOURCE_LOCK opensearch)  # memory for one such server at a time
endif()

# The golden vectors of the articles' Java programs. One process a part, for the dictionaries are compiled first. Without LEITONG_SHARED or
# LEITONG_HANLP_JAR its tests are skipped, and named one by one.
file(GLOB golden CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/golden/*.cpp)
add_executable(golden_test ${golden})
target_include_directories(golden_test PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
target_link_libraries(golden_test PRIVATE leitong_inside ZLIB::ZLIB GTest::gtest GTest::gtest_main)
# What needs HanLP's jar stands apart: a skipped part must not hide a failure of the other.
set(golden_hanlp "*Hanlp*:*CleanedText*:JavaPreprocess*")
add_test(NAME golden_vectors.hanlp COMMAND golden_test "--gtest_filter=${golden_hanlp}")
add_test(NAME golden_vectors.others COMMAND golden_test "--gtest_filter=-${golden_hanlp}")
set_tests_properties(golden_vectors.hanlp golden_vectors.others PROPERTIES TIMEOUT 900 SKIP_REGULAR_EXPRESSION "SKIPPED")

# jieba against the Python package itself.
add_executable(jieba_oracle_test ${PROJECT_SOURCE_DIR}/tests/jieba/oracle_test.cpp)
target_include_directories(jieba_oracle_test PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(jieba_oracle_test PRIVATE leitong_segment GTest::gtest GTest::gtest_main)
target_compile_definitions(jieba_oracle_test PRIVATE LEITONG_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
add_test(NAME jieba_oracle COMMAND jieba_oracle_test)
set_tests_properties(jieba_oracle PROPERTIES TIMEOUT 3600 SKIP_REGULAR_EXPRESSION "SKIPPED")

# Memory that fails at every allocation: an operator new of its own, so a program of its own. Without the address sanitizer leaks go unseen.
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=address")
  file(GLOB memory_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/memory/*.cpp)
  add_executable(memory_test ${memory_tests})
  target_include_directories(memory_test PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(memory_test PRIVATE leitong_inside GTest::gtest GTest::gtest_main)
  target_compile_options(memory_test PRIVATE ${LEITONG_TEST_OPTIONS})
  gtest_discover_tests(memory_test TEST_PREFIX memory. DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 900 LABELS sanitized)
  leitong_built_for(sanitized memory_test)
endif()

# Golden command-line tests: a script and what it must print.
file(GLOB goldens CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/cli/*.sh)
foreach(script ${goldens})
  get_filename_component(name ${script} NAME_WE)
  add_test(NAME golden.${name}
    COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tests/cli/run_golden.py --program $<TARGET_FILE:leitong_cli> ${script})
  set_tests_properties(golden.${name} PROPERTIES TIMEOUT 300 SKIP_RETURN_CODE 77)
endforeach()

# Small workloads take no more instructions than they did. Sanitizers would be counted too.
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  add_executable(workloads ${PROJECT_SOURCE_DIR}/tests/instructions/workloads.cpp)
  target_include_directories(workloads PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(workloads PRIVATE leitong_candidates leitong_fingerprint leitong_hamming leitong_records leitong_segment
    leitong_similarity leitong_text simdjson::simdjson)
  add_test(NAME instructions
    COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tests/instructions/check_instructions.py $<TARGET_FILE:workloads>)
  set_tests_properties(instructions PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77)
  leitong_built_for(plain workloads)
endif()

# Parquet and Arrow files of other writers, and our files to other readers.
add_executable(parquet_columns ${PROJECT_SOURCE_DIR}/tests/parquet/columns.cpp)
target_include_directories(parquet_columns PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(parquet_columns PRIVATE leitong_parquet leitong_storage)
# pyarrow and DuckDB from PyPI as judges. Not to be had: skipped, and said. Damage shows under sanitizers, the rest would only take longer.
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  add_test(NAME parquet.oracle COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tests/parquet/oracle_test.py
    --columns $<TARGET_FILE:parquet_columns> --venv ${PROJECT_BINARY_DIR}/oracles)
  set_tests_properties(parquet.oracle PROPERTIES TIMEOUT 3600 SKIP_RETURN_CODE 77)
  leitong_built_for(plain parquet_columns)
endif()

# Fuzz targets are run by ./test --full alone, with clang; that they compile is seen here.
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  file(GLOB fuzz_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/fuzz/*_fuzz.cpp)
  add_library(fuzz_targets OBJECT ${fuzz_sources})
  target_include_directories(fuzz_targets PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(fuzz_targets PRIVATE leitong_inside)
  leitong_built_for(plain fuzz_targets)
endif()

# The examples build and run.
foreach(example dedup fingerprint)
  add_executable(example_${example} ${PROJECT_SOURCE_DIR}/examples/${example}.cpp)
  target_link_libraries(example_${example} PRIVATE leitong::leitong)
endforeach()
add_test(NAME example.dedup COMMAND example_dedup ${PROJECT_SOURCE_DIR}/examples/sample.jsonl ${PROJECT_BINARY_DIR}/example-out)
set_tests_properties(example.dedup PROPERTIES PASS_REGULAR_EXPRESSION "kept [0-9]+ of [0-9]+ records" FAIL_REGULAR_EXPRESSION "error:|Sanitizer")
add_test(NAME example.fingerprint COMMAND example_fingerprint)
set_tests_properties(example.fingerprint PROPERTIES FAIL_REGULAR_EXPRESSION "error:|Sanitizer")

# The C interface, called from C.
file(GLOB c_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/c/*.c)
foreach(source ${c_tests})
  get_filename_component(name ${source} NAME_WE)
  add_executable(c_${name} ${source})
  set_target_properties(c_${name} PROPERTIES C_STANDARD 99 C_STANDARD_REQUIRED ON LINKER_LANGUAGE CXX)
  target_link_libraries(c_${name} PRIVATE leitong::leitong)
  add_test(NAME c.${name} COMMAND c_${name} WORKING_DIRECTORY ${PROJECT_BINARY_DIR})
endforeach()

# Fresh random texts through Java and through this program. Java, Maven or a jar missing: skipped, and said. Three ways: the jar as it is,
# a data folder with words of its own, words changed at run time.
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
foreach(way "" custom changes)
  set(name java_parity)
  set(arguments --count 100 --seed 21)
  if(way)
    set(name java_parity.${way})
    set(arguments --count 60 --seed 22 --${way})
  endif()
  add_test(NAME ${name} COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tests/java/parity.py --program $<TARGET_FILE:leitong_cli> ${arguments})
  set_tests_properties(${name} PROPERTIES TIMEOUT 1800 SKIP_RETURN_CODE 77 RESOURCE_LOCK java)
endforeach()
endif()

# calibrate --label at a terminal.
add_test(NAME calibrate.terminal
  COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tests/calibrate/terminal_test.py --program $<TARGET_FILE:leitong_cli>)
set_tests_properties(calibrate.terminal PROPERTIES TIMEOUT 300)

# The pages of calibrate, driven in a headless Chromium. None: skipped, and said. The pages are the same under sanitizers.
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  add_test(NAME calibrate.pages
    COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tests/calibrate/label_page_test.py --program $<TARGET_FILE:leitong_cli>)
  set_tests_properties(calibrate.pages PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77)
endif()

# The program killed while it adds, and what is there afterwards. Under sanitizers the same would only take longer.
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  add_test(NAME collection.kill COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tests/collection/kill_test.py --program $<TARGET_FILE:leitong_cli>)
  add_test(NAME collection.import_kill
    COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tests/collection/import_kill_test.py --program $<TARGET_FILE:leitong_cli>)
  # On a small file system that it fills. No right to mount one: skipped, and said.
  add_test(NAME collection.full_disk
    COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tests/collection/full_disk_test.py --program $<TARGET_FILE:leitong_cli>)
  set_tests_properties(collection.full_disk PROPERTIES TIMEOUT 600 SKIP_RETURN_CODE 77)
  set_tests_properties(collection.kill collection.import_kill PROPERTIES TIMEOUT 3600)  # 1,000 kills in ./test --full
endif()

# The server on real sockets, and kills of it. With packages from PyPI and Maven Central, which are skipped where they cannot be had: the page
# in a browser, the description by schemathesis, clients generated of it. The Debian package in a bare root.
if(LEITONG_SERVER)
  set(server ${PROJECT_SOURCE_DIR}/tests/server)
  set(served --program $<TARGET_FILE:leitong_cli>)
  add_test(NAME server.sockets COMMAND Python3::Interpreter -B ${server}/sockets_test.py ${served})
  set_tests_properties(server.sockets PROPERTIES TIMEOUT 3600 LABELS plain+sanitized)
  if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    set(served ${served} --venv ${PROJECT_BINARY_DIR}/server-tests)
    add_test(NAME server.page COMMAND Python3::Interpreter -B ${server}/page_test.py ${served} --screenshots ${PROJECT_BINARY_DIR}/screenshots)
    add_test(NAME server.description COMMAND Python3::Interpreter -B ${server}/description_test.py ${served})
    add_test(NAME server.clients COMMAND Python3::Interpreter -B ${server}/clients_test.py ${served} --work ${PROJECT_BINARY_DIR}/clients)
    add_test(NAME server.package COMMAND bash ${server}/package_test.sh ${PROJECT_BINARY_DIR} ${CMAKE_CPACK_COMMAND})
    set_tests_properties(server.page server.description server.clients server.package
      PROPERTIES TIMEOUT 3600 SKIP_RETURN_CODE 77 LABELS server)
    set_tests_properties(server.page server.description server.clients PROPERTIES RESOURCE_LOCK server_tests)  # one environment
    set_tests_properties(server.package PROPERTIES RESOURCE_LOCK installing)
  endif()
endif()

# Crashes and errors of a disk under real file systems (tests/device). No root, no FUSE, no loop devices, no such file system: skipped, and said.
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  set(device ${PROJECT_SOURCE_DIR}/tests/device)
  pkg_check_modules(FUSE3 IMPORTED_TARGET fuse3)
  set(device_disk "")
  if(FUSE3_FOUND)
    add_executable(device_disk ${device}/disk.cpp)
    target_link_libraries(device_disk PRIVATE PkgConfig::FUSE3)
    set(device_disk $<TARGET_FILE:device_disk>)
  endif()
  add_library(device_no_sync MODULE ${device}/no_sync.c)
  target_link_libraries(device_no_sync PRIVATE ${CMAKE_DL_LIBS})
  add_executable(device_store_worker ${device}/store_worker.cpp)
  target_include_directories(device_store_worker PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(device_store_worker PRIVATE leitong_store GTest::gtest)
  foreach(kind ext4 xfs)
    set(on --kind ${kind} --disk "${device_disk}" --worker $<TARGET_FILE:device_store_worker>)
    add_test(NAME device.replay.${kind} COMMAND Python3::Interpreter -B ${device}/replay_test.py ${on} --program $<TARGET_FILE:leitong_cli>)
    add_test(NAME device.planted.${kind} COMMAND Python3::Interpreter -B ${device}/replay_test.py ${on} --planted $<TARGET_FILE:device_no_sync>)
    add_test(NAME device.errors.${kind} COMMAND Python3::Interpreter -B ${device}/error_test.py ${on} --program $<TARGET_FILE:leitong_cli>)
    set_tests_properties(device.replay.${kind} device.planted.${kind} device.errors.${kind} PROPERTIES TIMEOUT 3600 SKIP_RETURN_CODE 77)
  endforeach()
endif()

# Installed package: another project finds leitong::leitong. A sanitizer build would need the consumer to be built with the same flags.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  add_test(NAME consumer COMMAND bash ${PROJECT_SOURCE_DIR}/tests/consumer/run.sh ${PROJECT_BINARY_DIR} ${CMAKE_COMMAND})
  set_tests_properties(consumer PROPERTIES TIMEOUT 600)
endif()

# The Python package on this library. The wheels that are given away, and all tests of the package, are built by ./test --full.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  add_test(NAME python COMMAND bash ${PROJECT_SOURCE_DIR}/tests/python/smoke.sh ${PROJECT_BINARY_DIR} ${CMAKE_COMMAND})
  set_tests_properties(python PROPERTIES TIMEOUT 1200 SKIP_RETURN_CODE 77)
  # And leitong-java. Its jars as they are given away, and Spark, are built by ./test --full.
  add_test(NAME java COMMAND bash ${PROJECT_SOURCE_DIR}/tests/java/smoke.sh ${PROJECT_BINARY_DIR} ${CMAKE_COMMAND})
  set_tests_properties(java PROPERTIES TIMEOUT 1200 SKIP_RETURN_CODE 77)
  set_tests_properties(consumer python java PROPERTIES RESOURCE_LOCK installing)
endif()

# The recipes of docs/sql.md on DuckDB, by PyPI, and on PostgreSQL, if it is there. The program that they need is what other tests try.
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  foreach(database duckdb postgresql)
    add_test(NAME sql.${database} COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tests/sql/recipes_test.py --program $<TARGET_FILE:leitong_cli>
      --database ${database} --venv ${PROJECT_BINARY_DIR}/oracles)
    set_tests_properties(sql.${database} PROPERTIES TIMEOUT 900 SKIP_RETURN_CODE 77)
  endforeach()
  set_tests_properties(sql.duckdb parquet.oracle PROPERTIES RESOURCE_LOCK oracles)  # whoever comes first fills their environment
  set_tests_properties(sql.postgresql PROPERTIES LABELS server)
endif()

# The rest: programs that are one test or drive the command line. Those of this list are run under sanitizers, all others without.
get_property(tests DIRECTORY PROPERTY TESTS)
foreach(test ${tests})
  get_property(tiers TEST ${test} PROPERTY LABELS)
  if(tiers)
    continue()
  endif()
  if(test MATCHES "^(golden|example|c)\\." OR test MATCHES "^(spec\\.(portable|avx2|avx512)|calibrate\\.terminal)$")
    set_property(TEST ${test} PROPERTY LABELS sanitized)
  else()
    set_property(TEST ${test} PROPERTY LABELS plain)
  endif()
endforeach()
get_property(targets DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
foreach(target ${targets})
  if(target MATCHES "^(example|c)_")
    leitong_built_for(sanitized ${target})
  elseif(target MATCHES "^(stores_test|golden_test|jieba_oracle_test|device_.*)$")
    leitong_built_for(plain ${target})
  endif()
endforeach()
leitong_built_for(plain+sanitized leitong_program)
leitong_built_for(plain leitong_man_page)  # the consumer installs them
add_test(NAME tiers COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tests/check_tiers.py ${PROJECT_BINARY_DIR} ${PROJECT_SOURCE_DIR}/test)
add_test(NAME tiers.self COMMAND Python3::Interpreter -B ${PROJECT_SOURCE_DIR}/tests/check_tiers.py --self-test)
set_tests_properties(tiers tiers.self PROPERTIES LABELS plain)
