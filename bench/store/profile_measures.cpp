// Documents of the default profile through the public interface. Made-up texts: words of two Chinese characters, the first of the
// vocabulary the most frequent; every tenth text is an earlier one with a twentieth of its words changed.
#include <algorithm>
#include <cmath>
#include <filesystem>

#include "data.h"
#include "leitong/access.h"
#include "leitong/collection.h"
#include "settings.h"

namespace bench_store {
namespace {

constexpr std::uint64_t vocabulary = 50'000;

void append_character(std::string& text, std::uint64_t number) {
  const auto point = static_cast<unsigned>(0x4e00 + number % 0x5000);
  text += static_cast<char>(0xe0U | point >> 12U);
  text += static_cast<char>(0x80U | (point >> 6U & 0x3fU));
  text += static_cast<char>(0x80U | (point & 0x3fU));
}

// 60 to 300 words of text `number`; those that `change` picks are others.
std::string words(std::uint64_t number, std::uint64_t change) {
  std::string text;
  const std::uint64_t count = 60 + mixed(number) % 241;
  for (std::uint64_t w = 0; w < count; ++w) {
    std::uint64_t random = mixed(number * 1024 + w);
    if (change != 0 && mixed(random ^ change) % 20 == 0) random = mixed(random + change);
    const double share = static_cast<double>(random >> 11U) * 0x1p-53;
    const auto word = static_cast<std::uint64_t>(std::pow(static_cast<double>(vocabulary), share));  // Zipf's law
    append_character(text, mixed(word));
    append_character(text, mixed(word) >> 32U);
  }
  return text;
}
std::string document(std::uint64_t i) { return i % 10 == 9 ? words(i - 5, i) : words(i, 0); }

}  // namespace

void measure_profile(const Settings& settings) {
  using namespace leitong;
  std::filesystem::remove_all(settings.directory);
  Collection::create(settings.directory,
                     {.profile = load_profile("leitong-1"), .ids = CollectionIds::number, .texts = settings.texts, .goal = {}});
  Collection collection(settings.directory, Access::write);
  std::vector<std::string> ids(batch_size), texts(batch_size);
  std::vector<CollectionDocument> batch;
  double added = 0, bytes = 0;
  for (std::uint64_t at = 0; at < settings.rows; at += batch_size) {
    batch.clear();
    for (std::uint64_t i = 0; i < std::min<std::uint64_t>(batch_size, settings.rows - at); ++i) {
      ids[i] = std::to_string(at + i);
      texts[i] = document(at + i);
      bytes += static_cast<double>(texts[i].size());
      batch.push_back({ids[i], texts[i]});
    }
    added += seconds([&] { collection.add(batch, Acknowledge::buffered); });
  }
  const double compacted = seconds([&] { collection.compact(); });
  Latencies near, fresh;
  std::uint64_t found = 0;
  const std::size_t queries = std::min<std::size_t>(settings.queries, 5000);
  for (std::size_t q = 0; q < queries; ++q) {
    const std::uint64_t original = mixed(q) % settings.rows / 10 * 10;  // never a copy itself
    const std::string planted = words(original, mixed(q) | 1), other = words(settings.rows * 2 + q, 0);
    CollectionAnswer answer;
    near.take([&] { answer = collection.query(planted); });
    found +=
        std::ranges::any_of(answer.matches, [&](const CollectionMatch& match) { return match.id == std::to_string(original); }) ? 1 : 0;
    fresh.take([&] { answer = collection.query(other); });
  }
  collection.close();
  const auto n = static_cast<double>(settings.rows);
  Record record = settings.record("profile");
  record.add("texts", settings.texts ? 1 : 0).add("text_B", bytes / n).add("add_per_s", n / added);
  record.add("add_and_compact_per_s", n / (added + compacted)).add("disk_B", static_cast<double>(bytes_in(settings.directory)) / n);
  record.add_latencies("near", near)
      .add_latencies("fresh", fresh)
      .add("found_share", static_cast<double>(found) / static_cast<double>(queries));
  record.write();
}

}  // namespace bench_store
