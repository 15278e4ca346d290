#include "fingerprint/idf_table.h"

#include "fingerprint/weight_file.h"

namespace leitong::fingerprint {

IdfTable::IdfTable(const std::string& path, const Hasher& hasher) {
  read_weights(path, "an idf table", 1'000'000,
               [&](std::string_view token, std::uint32_t idf) { idf_[hasher.bytes(token.data(), token.size())] = idf; });
  double sum = 0;
  for (const auto& [hash, idf] : idf_) sum += idf;
  mean_ = idf_.empty() ? 256 : static_cast<std::uint32_t>(sum / static_cast<double>(idf_.size()));
}

}  // namespace leitong::fingerprint
