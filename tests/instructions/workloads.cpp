// One small workload, to count the instructions that it takes: workloads NAME. Its input is made first and is not counted, nor is a first
// round, which fills buffers and tables. What it prints is a checksum of what was done, equal on every machine and for every set of
// kernels.
#include <simdjson.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "candidates/band_join.h"
#include "candidates/set_join.h"
#include "fingerprint/sketcher.h"
#include "leitong/hamming.h"
#include "leitong/hamming_index.h"
#include "leitong/profile.h"
#include "leitong/rule.h"
#include "leitong/segment.h"
#include "records/json_fields.h"
#include "similarity/near_check.h"
#include "text/tokenize.h"

namespace leitong {
namespace {

using Random = std::mt19937_64;  // its numbers are fixed by the standard; those of distributions are not, so % it is
using Work = std::function<std::uint64_t()>;

std::string english_word(Random& random) {
  static constexpr std::string_view syllables[] = {"ta",  "re", "mi",  "no",  "sel", "ver", "on",
                                                   "ing", "al", "pre", "con", "est", "dor", "u"};
  std::string word;
  for (std::uint64_t left = 1 + random() % 3; left > 0; --left) word += syllables[random() % std::size(syllables)];
  return word;
}

std::string english(Random& random, unsigned words) {
  std::string text;
  for (unsigned i = 0; i < words; ++i) {
    std::string word = english_word(random);
    if (i % 12 == 0) word[0] = static_cast<char>(word[0] & ~0x20);
    text += word + (i % 12 == 11 ? ". " : i % 7 == 6 ? ", " : " ");
  }
  return text;
}

std::string chinese(Random& random, unsigned characters) {
  static constexpr std::string_view words[] = {"我们", "中国", "经济", "发展", "的",   "是",   "在",   "研究", "生命",
                                               "起源", "北京", "大学", "学生", "工作", "人民", "法院", "判决", "新闻",
                                               "报道", "昨天", "今年", "第三", "十二", "和",   "了"};
  std::string text;
  for (unsigned i = 0; i < characters / 2; ++i) {
    text += words[random() % std::size(words)];
    if (i % 11 == 10) text += i % 33 == 32 ? "。" : "，";
  }
  return text;
}

std::vector<std::string> texts_of(std::string (*make)(Random&, unsigned), unsigned count, unsigned length) {
  Random random(7);
  std::vector<std::string> texts;
  for (unsigned i = 0; i < count; ++i) texts.push_back(make(random, length));
  return texts;
}

Work tokenise(std::vector<std::string> texts) {
  return [texts = std::move(texts), tokens = text::Tokens()]() mutable {
    std::uint64_t sum = 0;
    for (const std::string& text : texts) {
      text::tokenize(text, {}, tokens);
      sum += tokens.size();
    }
    return sum;
  };
}

Work sketch(std::vector<std::string> texts) {
  return [texts = std::move(texts), sketcher = std::make_shared<fingerprint::Sketcher>(Profile{})] {
    std::uint64_t sum = 0;
    fingerprint::Sketch sketch;
    for (const std::string& text : texts) {
      (*sketcher)(text, sketch);
      sum += sketch.content[0] ^ sketch.fingerprint.words[0] ^ sketch.slots[3];
    }
    return sum;
  };
}

Work segment() {
  return [texts = texts_of(chinese, 60, 600), segmenter = std::make_shared<Segmenter>(load_profile("jieba"))] {
    std::uint64_t sum = 0;
    for (const std::string& text : texts) sum += (*segmenter)(text).size();
    return sum;
  };
}

Work json() {
  std::vector<std::string> lines;
  for (const std::string& text : texts_of(english, 300, 150))
    lines.push_back(R"({"id": 12, "meta": {"lang": "en", "tags": ["a", "b"]}, "text": ")" + text + R"(\n\u96f7", "score": 0.25})");
  return [lines = std::move(lines), paths = records::JsonPaths({"text", "meta.lang"}), fields = records::JsonFields(),
          room = std::vector<char>(1 << 16)]() mutable {
    std::uint64_t sum = 0;
    for (const std::string& line : lines) {
      std::memcpy(room.data(), line.data(), line.size());  // with room to read behind it
      if (fields.extract(paths, {room.data(), line.size()})) sum += fields.value(0).raw.size() + fields.value(1).raw.size();
    }
    return sum;
  };
}

// Pairs of a text and a copy with a word in twenty changed.
Work verify() {
  Random random(11);
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& text : texts_of(english, 40, 400)) {
    std::string copy;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size() - 1) + 1;
      copy += random() % 20 == 0 ? "changed " : text.substr(at, end - at);
      at = end;
    }
    pairs.emplace_back(text, copy);
  }
  return [pairs = std::move(pairs), rule = std::make_shared<Rule>(load_rule(rule_names().front()))] {
    similarity::NearCheck check(Profile{}, *rule);
    std::uint64_t near = 0;
    for (const auto& [text, copy] : pairs) {
      check.set(text);
      near += check.ask(copy).near ? 1 : 0;
    }
    return near;
  };
}

Work bands() {
  constexpr unsigned rows = 20'000, words = 5, bands = 8;
  Random random(13);
  std::vector<std::uint32_t> active(rows), keys(rows * bands);
  std::vector<std::uint64_t> bits(rows * words);
  for (unsigned i = 0; i < rows; ++i) active[i] = i;
  for (auto& key : keys) key = static_cast<std::uint32_t>(random() % (rows * 2));
  for (auto& word : bits) word = random();
  return [=] {
    candidates::BandInput input;
    input.rows = rows, input.bands = bands, input.active = active, input.bits = bits, input.words = words, input.max_distance = 150;
    input.keys = [&](unsigned band, std::span<std::uint32_t> out) { std::copy_n(&keys[band * rows], rows, out.begin()); };
    std::uint64_t pairs = 0;
    std::vector<std::uint8_t> bounded;
    candidates::band_join(input, [&](std::span<const candidates::Candidate> found) { pairs += found.size(); }, bounded);
    return pairs;
  };
}

Work sets() {
  constexpr unsigned count = 4'000;
  Random random(17);
  std::vector<std::uint32_t> rows, features;
  std::vector<std::uint64_t> offsets = {0};
  for (unsigned i = 0; i < count; ++i) {
    std::vector<std::uint32_t> set;
    for (unsigned j = 0; j < 24; ++j) set.push_back(static_cast<std::uint32_t>(random() % (j < 12 ? 400 : 40'000)));
    if (i % 5 == 4) set.assign(features.end() - 20, features.end());
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    rows.push_back(i);
    features.insert(features.end(), set.begin(), set.end());
    offsets.push_back(features.size());
  }
  return [=] {
    const std::vector<std::uint8_t> is_short(count, 1);
    candidates::SetInput input{.rows = rows, .offsets = offsets, .features = features, .is_short = is_short};
    std::uint64_t pairs = 0;
    std::vector<std::uint8_t> bounded;
    candidates::set_join(input, [&](std::span<const candidates::SetPair> found) { pairs += found.size(); }, bounded);
    return pairs;
  };
}

std::vector<std::uint64_t> fingerprints(unsigned count) {
  Random random(19);
  std::vector<std::uint64_t> values(count);
  for (unsigned i = 0; i < count; ++i) values[i] = i % 10 == 9 ? values[i - 1] ^ 1ULL << random() % 64 : random();
  return values;
}

Work join() {
  return [values = fingerprints(100'000)] {
    std::uint64_t pairs = 0;
    hamming_self_join(values, {}, [&](std::span<const HammingPair> found) { pairs += found.size(); });
    return pairs;
  };
}

Work query() {
  auto values = fingerprints(60'000);
  const auto index = std::make_shared<HammingIndex>(std::span<const std::uint64_t>(values), std::span<const std::uint64_t>());
  values.resize(6'000);
  for (auto& value : values) value ^= 5;
  return [index, values] {
    HammingMatches found;
    index->find_batch(values, 3, found);
    return found.matches.size();
  };
}

const std::pair<std::string_view, Work (*)()> workloads[] = {
    {"tokenise-english", [] { return tokenise(texts_of(english, 100, 400)); }},
    {"tokenise-chinese", [] { return tokenise(texts_of(chinese, 100, 800)); }},
    {"sketch-english", [] { return sketch(texts_of(english, 60, 400)); }},
    {"sketch-chinese", [] { return sketch(texts_of(chinese, 60, 800)); }},
    {"segment", segment},
    {"json", json},
    {"verify", verify},
    {"band-join", bands},
    {"set-join", sets},
    {"hamming-join", join},
    {"hamming-query", query},
};

}  // namespace
}  // namespace leitong

// Instructions are counted while this runs.
extern "C" __attribute__((noinline)) std::uint64_t leitong_counted(const leitong::Work& work) { return work(); }

int main(int argc, char** argv) {
  // What simdjson would choose depends on the processor.
  simdjson::get_active_implementation() = simdjson::get_available_implementations()["fallback"];
  for (const auto& [name, make] : leitong::workloads) {
    if (argc < 2) {
      std::puts(std::string(name).c_str());
    } else if (name == argv[1]) {
      const leitong::Work work = make();
      work();
      std::printf("%016llx\n", static_cast<unsigned long long>(leitong_counted(work)));
    }
  }
}
