// Inverse document frequencies of tokens or words, in 1/256: a table file, "token idf" a line, as `leitong idf` writes it.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "fingerprint/hash.h"

namespace leitong::fingerprint {

class IdfTable {
 public:
  IdfTable() = default;
  // Error(io), or Error(format) with the line. A token that stands there twice has its last value.
  IdfTable(const std::string& path, const Hasher& hasher);

  // By the token's hash; of one that the table lacks: the mean.
  [[nodiscard]] std::uint32_t operator()(std::uint64_t hash) const {
    const auto found = idf_.find(hash);
    return found == idf_.end() ? mean_ : found->second;
  }

 private:
  std::unordered_map<std::uint64_t, std::uint32_t> idf_;
  std::uint32_t mean_ = 0;
};

}  // namespace leitong::fingerprint
