// For tests: damages the bytes of a data file in many ways and asks for an error or the same answer.
#pragma once

#include <gtest/gtest.h>
#include <xxhash.h>

#include <cstddef>
#include <cstring>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "leitong/error.h"
#include "segment/section_file.h"

namespace leitong::segment {

// The bytes of a section.
inline std::span<std::byte> section_of(std::vector<std::byte>& bytes, std::uint32_t id) {
  constexpr std::size_t header = 64;
  for (std::size_t at = header;; at += sizeof(SectionEntry)) {
    SectionEntry entry;
    std::memcpy(&entry, bytes.data() + at, sizeof entry);
    if (entry.id == id) return std::span(bytes).subspan(entry.offset, entry.size);
    if (at + sizeof entry >= bytes.size() || entry.size > bytes.size()) break;
  }
  ADD_FAILURE() << "no section " << id;
  return {};
}

template <class T>
std::span<T> items_of(std::vector<std::byte>& bytes, std::uint32_t id) {
  const std::span<std::byte> section = section_of(bytes, id);
  return {reinterpret_cast<T*>(section.data()), section.size() / sizeof(T)};
}

// Writes the right checksum into damaged bytes, as a forger would.
inline void forge_checksum(std::vector<std::byte>& bytes) {
  constexpr std::size_t header = 64, size_at = 16, checksum_at = 24;
  if (bytes.size() < header) return;
  const std::uint64_t size = bytes.size(), none = 0;
  std::memcpy(bytes.data() + size_at, &size, sizeof size);
  std::memcpy(bytes.data() + checksum_at, &none, sizeof none);
  const std::uint64_t sum = XXH3_64bits(bytes.data(), bytes.size());
  std::memcpy(bytes.data() + checksum_at, &sum, sizeof sum);
}

// `answer` opens bytes and uses what they hold. Truncated and flipped bytes must give an Error or the answer of the whole file; with a
// forged checksum any answer will do, as long as the sanitizers are content.
template <class Answer>
void test_damage(const std::vector<std::byte>& bytes, Answer answer, bool forged = true) {
  const std::string whole = answer(bytes);
  ASSERT_NE(whole, "");
  const auto check = [&](std::vector<std::byte> damaged, const std::string& how) {
    try {
      EXPECT_EQ(answer(std::move(damaged)), whole) << how;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("; "), std::string::npos) << "says what to do: " << error.what();
    }
  };
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 5)
    check({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)}, "truncated to " + std::to_string(size));
  std::vector<std::byte> longer = bytes;
  longer.push_back(std::byte{0});
  check(longer, "one byte more");
  for (std::size_t at = 0; at < bytes.size(); at += at < 512 ? 3 : 1 + bytes.size() / 150) {
    std::vector<std::byte> damaged = bytes;
    damaged[at] ^= std::byte{0x10};
    check(std::move(damaged), "flipped at " + std::to_string(at));
  }
  std::mt19937 random(5);
  for (int i = 0; forged && i < 300; ++i) {
    std::vector<std::byte> damaged = bytes;
    const std::size_t range = i % 2 == 0 ? std::min<std::size_t>(768, bytes.size()) : bytes.size();
    for (int flips = 0; flips < 3; ++flips) damaged[random() % range] ^= static_cast<std::byte>(1U << random() % 8);
    forge_checksum(damaged);
    try {
      (void)answer(std::move(damaged));
    } catch (const Error&) {
    }
  }
}

}  // namespace leitong::segment
