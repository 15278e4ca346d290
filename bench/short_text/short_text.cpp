// How well does the recipe for short text work, and which limits are best? A fingerprint nominates, edit distance or cosine decides.
//
//   bench_short_text [SET...]     the sets of $LEITONG_SHARED/corpora; README.md says which, and how to read the tables
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "leitong/hamming.h"
#include "leitong/similarity.h"
#include "records/input.h"
#include "text/utf8.h"

namespace {

using namespace leitong;

using Pair = std::pair<std::uint32_t, std::uint32_t>;

struct Collection {
  std::string name;
  std::vector<std::string> texts;
  std::set<Pair> duplicates;
};

std::string corpus_path(const std::string& file) {
  const char* shared = std::getenv("LEITONG_SHARED");
  if (shared == nullptr) throw std::runtime_error("set LEITONG_SHARED to the folder that holds corpora/");
  return std::string(shared) + "/corpora/" + file;
}

// `text` and further fields of every record of a JSON Lines file.
std::vector<std::vector<std::string>> read_records(const std::string& path, const std::string& text, std::vector<std::string> fields) {
  InputOptions options;
  options.paths = {path};
  options.text_field = text;
  options.fields = std::move(fields);
  records::Input input(options, "");
  records::Chunk chunk;
  records::Parsed parsed;
  std::vector<std::vector<std::string>> rows;
  while (input.next(chunk)) {
    input.parse(chunk, parsed);
    for (const records::Record& record : parsed.records) {
      rows.push_back({std::string(record.text)});
      for (const std::string_view field : record.fields) rows.back().emplace_back(field);
    }
  }
  return rows;
}

Pair ordered(std::uint32_t a, std::uint32_t b) { return {std::min(a, b), std::max(a, b)}; }

// A set of the corpora, its texts (or another field of it) and its labelled pairs.
Collection labelled(const std::string& set, const std::string& field) {
  Collection collection{set + (field == "text" ? "" : " " + field), {}, {}};
  std::map<std::string, std::uint32_t> row_of;
  for (auto& row : read_records(corpus_path(set + ".docs.jsonl.gz"), field, {"id"})) {
    row_of.emplace(row[1], static_cast<std::uint32_t>(collection.texts.size()));
    collection.texts.push_back(std::move(row[0]));
  }
  for (const auto& row : read_records(corpus_path(set + ".pairs.jsonl.gz"), "a", {"b", "label"})) {
    const auto a = row_of.find(row[0]);
    const auto b = row_of.find(row[1]);
    if (row[2] == "1" && a != row_of.end() && b != row_of.end()) collection.duplicates.insert(ordered(a->second, b->second));
  }
  return collection;
}

std::u32string points(std::string_view text) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto c = text::decode_utf8(text, i);
    out += c.value;
    i += c.size;
  }
  return out;
}

std::string utf8(const std::u32string& text) {
  std::string out;
  for (const char32_t c : text) text::append_utf8(c, out);
  return out;
}

// Passages of 140 characters, as long as a message, and of each one copy with so many characters inserted, deleted or replaced.
// One version of each document: those whose id begins with `other_version` are left out, or, if that is empty, all but ID@0.
Collection planted(const std::string& set, const std::string& other_version, double edits) {
  constexpr std::size_t size = 140;
  std::mt19937_64 random(1);
  Collection collection{fmt::format("{}, 140 characters, {:.0f} % edited", set, 100 * edits), {}, {}};
  std::set<std::string> seen;  // boilerplate that opens many documents is no planted pair
  for (const auto& row : read_records(corpus_path(set + ".docs.jsonl.gz"), "text", {"id"})) {
    if (other_version.empty() ? !row[1].ends_with("@0") : row[1].starts_with(other_version)) continue;
    const std::u32string whole = points(row[0]);
    if (whole.size() < 4 * size) continue;
    const std::u32string text = whole.substr(whole.size() / 4 + random() % (whole.size() / 2), size);  // heads and feet repeat themselves
    if (!seen.insert(utf8(text)).second) continue;
    std::u32string copy = text;
    for (auto left = static_cast<std::size_t>(edits * size); left > 0; --left) {
      const std::size_t at = random() % copy.size();
      const char32_t other = whole[random() % whole.size()];
      if (const auto kind = random() % 3; kind == 0) {
        copy.insert(at, 1, other);
      } else if (kind == 1) {
        copy.erase(at, 1);
      } else {
        copy[at] = other;
      }
    }
    const auto row_number = static_cast<std::uint32_t>(collection.texts.size());
    collection.duplicates.insert({row_number, row_number + 1});
    collection.texts.push_back(utf8(text));
    collection.texts.push_back(utf8(copy));
  }
  return collection;
}

struct Nominated {
  Pair pair;
  std::uint32_t distance;
  double edits, cosine;
  bool duplicate;
};

// Of fingerprints of 64, 128 and 256 bits.
const std::map<unsigned, std::vector<unsigned>> tried{{64, {3, 6, 8, 10, 12}}, {128, {12, 24, 32, 36, 40}}, {256, {24, 64, 72, 80, 88}}};

std::vector<Nominated> nominate(const Collection& collection, const Profile& profile) {
  Fingerprinter fingerprinter(profile);
  std::vector<std::uint64_t> values;
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < collection.texts.size(); ++i) {
    if (const auto fingerprint = fingerprinter(collection.texts[i]).fingerprint) {
      values.insert(values.end(), fingerprint->words.begin(), fingerprint->words.begin() + profile.bits / 64);
      rows.push_back(i);
    }
  }
  ShortTextRule by_edits, by_cosine;
  by_edits.edit_similarity = by_cosine.cosine = 0;  // the whole measure, whatever the limit
  by_cosine.by = ShortTextRule::By::cosine;
  ShortTextJudge edits(profile, by_edits), cosine(profile, by_cosine);
  std::vector<Nominated> nominated;
  hamming_self_join(values, {profile.bits / 64, tried.at(profile.bits).back(), 1}, [&](std::span<const HammingPair> pairs) {
    for (const HammingPair& p : pairs) {
      const Pair pair = ordered(rows[p.a], rows[p.b]);
      const std::string &a = collection.texts[pair.first], &b = collection.texts[pair.second];
      nominated.push_back(
          {pair, p.distance, edits.decide(a, b).similarity, cosine.decide(a, b).similarity, collection.duplicates.contains(pair)});
    }
  });
  return nominated;
}

struct Score {
  double precision = 0, recall = 0, f1 = 0;
};

template <typename Accept>
Score score(const std::vector<Nominated>& nominated, std::size_t truth, const Accept& accept) {
  std::size_t accepted = 0, right = 0;
  for (const Nominated& n : nominated) {
    if (!accept(n)) continue;
    ++accepted;
    right += n.duplicate ? 1 : 0;
  }
  Score s;
  s.precision = accepted == 0 ? 0 : static_cast<double>(right) / static_cast<double>(accepted);
  s.recall = truth == 0 ? 0 : static_cast<double>(right) / static_cast<double>(truth);
  s.f1 = s.precision + s.recall == 0 ? 0 : 2 * s.precision * s.recall / (s.precision + s.recall);
  return s;
}

std::string shown(const Score& s) { return fmt::format("{:.3f} / {:.3f} / {:.3f}", s.precision, s.recall, s.f1); }

// Sum of F1 over sets at the widest k, by width, measure (edits, cosine) and limit in hundredths.
struct Averages {
  std::map<unsigned, std::map<int, std::pair<double, double>>> f1;
  int sets = 0;
};

void add(const std::vector<Nominated>& nominated, std::size_t truth, std::map<int, std::pair<double, double>>& f1) {
  for (int percent = 30; percent <= 98; percent += 2) {
    const double limit = percent / 100.0;
    f1[percent].first += score(nominated, truth, [&](const Nominated& n) { return n.edits >= limit; }).f1;
    f1[percent].second += score(nominated, truth, [&](const Nominated& n) { return n.cosine >= limit; }).f1;
  }
}

void print(const Averages& averages) {
  fmt::print("\n## Mean F1 of {} sets at the widest k, edit similarity / cosine\n\n| limit | 64 bits | 128 bits | 256 bits |\n",
             averages.sets);
  fmt::print("| --- | --- | --- | --- |\n");
  for (int percent = 30; percent <= 98; percent += 4) {
    fmt::print("| {:.2f} |", percent / 100.0);
    for (const auto& [bits, f1] : averages.f1) {
      const auto [edits, cosine] = f1.at(percent);
      fmt::print(" {:.3f} / {:.3f} |", edits / averages.sets, cosine / averages.sets);
    }
    fmt::print("\n");
  }
}

void measure(const Collection& collection, unsigned bits, Averages& averages) {
  Profile profile;
  profile.bits = bits;
  const std::vector<Nominated> nominated = nominate(collection, profile);
  const std::size_t truth = collection.duplicates.size();
  add(nominated, truth, averages.f1[bits]);
  fmt::print("\n## {}: {} texts, {} pairs, {} bits\n\n", collection.name, collection.texts.size(), truth, bits);
  fmt::print(
      "| k | nominated | fingerprint alone | edit similarity >= default | cosine >= default | best edit limit | best cosine limit |\n");
  fmt::print("| --- | --- | --- | --- | --- | --- | --- |\n");
  const ShortTextRule rule;
  for (const unsigned k : tried.at(bits)) {
    const auto within = [&](const Nominated& n) { return n.distance <= k; };
    double best[2] = {0, 0};
    Score best_score[2];
    for (int percent = 30; percent <= 98; percent += 2) {
      const double limit = percent / 100.0;
      const Score scores[2] = {score(nominated, truth, [&](const Nominated& n) { return within(n) && n.edits >= limit; }),
                               score(nominated, truth, [&](const Nominated& n) { return within(n) && n.cosine >= limit; })};
      for (int i = 0; i < 2; ++i) {
        if (scores[i].f1 <= best_score[i].f1) continue;
        best[i] = limit;
        best_score[i] = scores[i];
      }
    }
    fmt::print("| {} | {} | {} | {} | {} | {:.2f}: {} | {:.2f}: {} |\n", k, std::count_if(nominated.begin(), nominated.end(), within),
               shown(score(nominated, truth, within)),
               shown(score(nominated, truth, [&](const Nominated& n) { return within(n) && n.edits >= rule.edit_similarity; })),
               shown(score(nominated, truth, [&](const Nominated& n) { return within(n) && n.cosine >= rule.cosine; })), best[0],
               shown(best_score[0]), best[1], shown(best_score[1]));
  }
}

Collection collection_of(const std::string& name) {
  if (name == "poems") return labelled("zh_tang_closed", "text");
  if (name == "law-titles") return labelled("zh_laws", "title");
  if (name == "messages-zh") return planted("zh_lctt_closed", "T", 0.10);
  if (name == "messages-zh-20") return planted("zh_lctt_closed", "T", 0.20);
  if (name == "messages-en") return planted("en_peps", "", 0.10);
  throw std::runtime_error("there is no set \"" + name + "\"; README.md lists them");
}

}  // namespace

int main(int count, char** words) {
  try {
    std::vector<std::string> names(words + 1, words + count);
    if (names.empty()) names = {"poems", "messages-zh", "messages-zh-20", "messages-en"};
    fmt::print("Precision / recall / F1 of pairs.\n");
    Averages averages;
    for (const std::string& name : names) {
      ++averages.sets;
      const Collection collection = collection_of(name);
      for (const auto& [bits, ks] : tried) measure(collection, bits, averages);
    }
    print(averages);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_short_text: {}\n", error.what());
    return 1;
  }
  return 0;
}
