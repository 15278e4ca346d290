// Lines of fingerprints, hexadecimal or JSON: any bytes are a fingerprint, none, or bad with a reason.
#include <cstdlib>
#include <string>

#include "records/fingerprint_line.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace leitong::records;
  const std::string bytes = std::string(reinterpret_cast<const char*>(data), size) + std::string(64, '\0');
  const std::string_view line = std::string_view(bytes).substr(0, size);
  const HexValue value = parse_hex(line);
  if ((value.count == 0) == value.reason.empty()) std::abort();
  FingerprintJson json("", "id");
  const FingerprintJson::Line parsed = json.parse(line);
  if ((parsed.kind == FingerprintJson::Kind::bad) == parsed.reason.empty()) std::abort();
  if (parsed.kind == FingerprintJson::Kind::fingerprint) (void)parse_hex(parsed.digits);
  return 0;
}
