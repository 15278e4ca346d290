# cmake -DFILES=a;b -DTO=x.cpp -DROOM=server -P assets.cmake: the files as arrays of bytes.
set(arrays "")
set(entries "")
set(number 0)
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND arrays "constexpr char bytes_${number}[] = {\n${bytes}};\n")
  string(APPEND entries "    Asset{\"${name}\", {bytes_${number}, sizeof bytes_${number}}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${TO} "#include \"${ROOM}/assets.h\"\n\n#include <array>\n\nnamespace leitong::${ROOM} {\nnamespace {\n\n${arrays}
constexpr std::array all{\n${entries}};\n\n}  // namespace\n
std::span<const Asset> assets() { return all; }\n\n}  // namespace leitong::${ROOM}\n")
