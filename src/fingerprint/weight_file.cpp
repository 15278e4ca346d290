#include "fingerprint/weight_file.h"

#include <fmt/format.h>

#include <charconv>

#include "leitong/error.h"
#include "storage/content_file.h"

namespace leitong::fingerprint {

void read_weights(const std::string& path, std::string_view what, double most,
                  const std::function<void(std::string_view word, std::uint32_t in_256ths)>& take) {
  const std::string content = storage::read_content(path, what);
  std::string_view rest(content);
  for (std::uint64_t number = 1; !rest.empty(); ++number) {
    std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) continue;
    const std::size_t space = line.find_last_of(" \t");
    double value = 0;
    const char* const end = line.data() + line.size();
    const bool parts = space != std::string_view::npos && space != 0;
    const auto [stopped, error] =
        parts ? std::from_chars(line.data() + space + 1, end, value) : std::from_chars_result{end, std::errc::invalid_argument};
    if (error != std::errc() || stopped != end || !(value >= 0 && value <= most))
      throw Error(ErrorCode::format,
                  fmt::format("{}:{}: {} holds \"word number\" a line, the number from 0 to {}", path, number, what, most));
    take(line.substr(0, space), static_cast<std::uint32_t>(value * 256 + 0.5));
  }
}

}  // namespace leitong::fingerprint
