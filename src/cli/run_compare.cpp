#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string_view>

#include "cli/diff.h"
#include "cli/run.h"
#include "leitong/error.h"
#include "leitong/similarity.h"

namespace leitong::cli {
namespace {

constexpr std::uint64_t largest = 64ULL << 20;

std::string read_stream(std::FILE* stream, const std::string& name) {
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, stream)) {
    text.append(buffer, n);
    if (text.size() > largest) throw Error(ErrorCode::limit, name + ": longer than 64 MiB, too long to compare");
  }
  if (std::ferror(stream) != 0) throw Error(ErrorCode::io, name + ": cannot read: " + std::strerror(errno));
  return text;
}

bool looks_like_path(const std::string& text) {
  return text.size() < 256 && text.find_first_of(" \n") == std::string::npos && text.find_first_of("/.") != std::string::npos;
}

// Such bytes would be compared as if they were text, and the answer would mean nothing.
void refuse_binary(std::string_view text, const std::string& name) {
  if (text.starts_with("\x1f\x8b") || text.starts_with("\x28\xb5\x2f\xfd"))
    throw Error(ErrorCode::format, name + ": a packed file; unpack it first, e.g. with zcat or zstdcat");
  if (text.substr(0, 8192).find('\0') != std::string_view::npos)
    throw Error(ErrorCode::format, name + ": looks binary: a NUL byte in its first 8 kB");
}

std::string operand_text(const std::string& operand, bool as_text) {
  struct stat status{};
  if (as_text) return operand;
  if (operand == "-") {
    std::string text = read_stream(stdin, "standard input");
    refuse_binary(text, "standard input");
    return text;
  }
  if (::stat(operand.c_str(), &status) != 0) {
    if (looks_like_path(operand)) print_note("there is no file \"" + operand + "\", so these words are compared as a text");
    return operand;
  }
  if (S_ISDIR(status.st_mode))
    throw Error(ErrorCode::usage, operand + ": a directory; name a file, or use --text to compare the words themselves");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(operand.c_str(), "rb"), std::fclose);
  if (file == nullptr) throw Error(ErrorCode::io, operand + ": cannot open: " + std::strerror(errno));
  std::string text = read_stream(file.get(), operand);
  refuse_binary(text, operand);
  return text;
}

std::string optional_json(const std::optional<Fingerprint>& fingerprint) {
  return fingerprint ? json_string(to_hex(*fingerprint)) : "null";
}

std::string measures_json(const Comparison& c) {
  return fmt::format(
      "\"token_jaccard\":{},\"cosine\":{},\"euclid\":{},\"unit_euclid\":{},\"common_substring\":{},\"common_substring_share\":{},"
      "\"common_substring_exact\":{},\"character_edits\":{},\"character_edits_exact\":{},\"edit_similarity\":{},"
      "\"longest_sentences\":{{\"equal\":{},\"shared\":{},\"of\":{},\"a\":\"{:016x}\",\"b\":\"{:016x}\"}}",
      c.terms.jaccard, c.terms.cosine, c.terms.euclid, c.terms.unit_euclid, c.substring.length, c.substring.share, c.substring.exact,
      c.characters.distance, c.characters.exact, c.characters.similarity, c.sentences.equal, c.sentences.shared, c.sentences.of,
      c.sentences.a, c.sentences.b);
}

void show_json(std::string_view a, std::string_view b, const Comparison& c, const Profile& profile, bool near, Output& output) {
  output.write(
      fmt::format("{{\"near_duplicate\":{},\"threshold\":{},\"jaccard\":{},\"containment\":{},\"lcs\":{},\"edit_distance\":{},"
                  "\"edit_distance_exact\":{},{},\"distance\":{},\"bits\":{},\"a\":{},\"b\":{},\"profile\":{},\"profile_id\":{},\"diff\":[",
                  near, c.threshold, c.jaccard, c.containment, c.lcs, c.edit_distance, c.edit_distance_exact, measures_json(c),
                  c.distance ? std::to_string(*c.distance) : "null", profile.bits, optional_json(c.a), optional_json(c.b),
                  json_string(profile.name), json_string(profile_id(profile))));
  for (std::size_t i = 0; i < c.diff.size(); ++i) {
    const DiffRun& run = c.diff[i];
    output.write(fmt::format("{}{{\"same\":{},\"a\":{},\"b\":{}}}", i == 0 ? "" : ",", run.same,
                             json_string(a.substr(run.a_begin, run.a_end - run.a_begin)),
                             json_string(b.substr(run.b_begin, run.b_end - run.b_begin))));
  }
  output.write("]}\n");
}

std::string counted(std::uint64_t number, bool exact, const char* bound, const char* unit) {
  return fmt::format("{}{} {}{}", exact ? "" : bound, human_count(number), unit, number == 1 ? "" : "s");
}

void show_more_measures(const Comparison& c, Output& output) {
  output.write(fmt::format("edits          {}, similarity {}{:.4f}\n",
                           counted(c.characters.distance, c.characters.exact, "at least ", "character"),
                           c.characters.exact ? "" : "at most ", c.characters.similarity));
  output.write(fmt::format("common run     {}, {:.4f} of the shorter text\n",
                           counted(c.substring.length, c.substring.exact, "at least ", "character"), c.substring.share));
  output.write(fmt::format("cosine         {:.4f}  of word counts\n", c.terms.cosine));
  output.write(
      fmt::format("euclid         {:.4f}  of word counts; {:.4f} of them scaled to length 1\n", c.terms.euclid, c.terms.unit_euclid));
  output.write(fmt::format("word jaccard   {:.4f}  common share of distinct words\n", c.terms.jaccard));
  output.write(fmt::format("sentences      {} of the {} longest in both{}\n", c.sentences.shared, c.sentences.of,
                           c.sentences.equal ? ": same signature" : ""));
}

// The verdict, and what decided it.
std::string verdict(const Comparison& c, const Profile& profile, bool near) {
  if (c.a || c.b)
    return fmt::format("{} (similarity {:.3f}, threshold {:.2f}, profile {})", near ? "near-duplicates" : "not near-duplicates", c.jaccard,
                       c.threshold, profile.name);
  if (near) return "near-duplicates: without any word, but the same characters";
  return c.jaccard == 1 ? "not near-duplicates: both texts are blank, and blank texts resemble nothing"
                        : "not near-duplicates: neither text has a word, and their characters differ";
}

void show_measures(const Comparison& c, const Profile& profile, bool near, Output& output) {
  output.write(verdict(c, profile, near) + "\n\n");
  if (c.distance) {
    output.write(fmt::format("fingerprints   {} of {} bits differ\n", *c.distance, profile.bits));
    output.write(fmt::format("               {}\n               {}\n", to_hex(*c.a), to_hex(*c.b)));
  } else {
    output.write(
        fmt::format("fingerprints   none: {}\n", c.a || c.b ? fmt::format("{} has no word", c.a ? "B" : "A") : "no text has a word"));
  }
  if (!c.a && !c.b) return;
  output.write(fmt::format("jaccard        {:.4f}  common share of all features\n", c.jaccard));
  output.write(fmt::format("containment    {:.4f}  share of the smaller text's features that the other holds\n", c.containment));
  output.write(fmt::format("lcs            {:.4f}  common words in the same order\n", c.lcs));
  output.write(fmt::format("edit distance  {}{} {}\n", c.edit_distance_exact ? "" : "at least ", human_count(c.edit_distance),
                           c.edit_distance == 1 ? "word" : "words"));
  show_more_measures(c, output);
}

}  // namespace

int run_compare(const Invocation& invocation, Output& output) {
  const Settings& s = invocation.settings;
  if (!s.as_text && invocation.operands[0] == "-" && invocation.operands[1] == "-")
    throw Error(ErrorCode::usage, "standard input cannot be both texts");
  const Profile profile = effective_profile_with_threshold(s);
  const std::string a = operand_text(invocation.operands[0], s.as_text), b = operand_text(invocation.operands[1], s.as_text);
  const Comparison comparison = compare(a, b, profile);
  const bool near = comparison.near_duplicate;
  if (s.json) {
    show_json(a, b, comparison, profile, near, output);
  } else {
    show_measures(comparison, profile, near, output);
    const std::string diff = marked_diff(a, b, comparison.diff, s.context, use_color(s.color));
    if (!diff.empty()) output.write("\n" + diff + (diff.ends_with('\n') ? "" : "\n"));
  }
  return near ? 0 : 1;
}

}  // namespace leitong::cli
