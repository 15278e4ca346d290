#include "cli/comparison.h"

#include <fmt/format.h>

#include "cli/diff.h"

namespace leitong::cli {
namespace {

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

}  // namespace

std::string verdict(const Comparison& c, const Profile& profile, const Rule& rule) {
  const bool near = c.near_duplicate;
  if (c.a || c.b)
    return fmt::format("{} (similarity {:.3f}, threshold {:.2f}, profile {}, rule {})",
                       near            ? "near-duplicates"
                       : c.other_facts ? "not near-duplicates: other facts"
                                       : "not near-duplicates",
                       c.jaccard, c.threshold, profile.name, rule.name);
  if (near) return "near-duplicates: without any word, but the same characters";
  return c.jaccard == 1 ? "not near-duplicates: both texts are blank, and blank texts resemble nothing"
                        : "not near-duplicates: neither text has a word, and their characters differ";
}

void show_measures(const Comparison& c, const Profile& profile, Output& output) {
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

void show_difference(std::string_view a, std::string_view b, const Comparison& c, const FaceSettings& face, Output& output) {
  const std::string diff = marked_diff(a, b, c.diff, face.context, use_color(face.color));
  if (!diff.empty()) output.write("\n" + diff + (diff.ends_with('\n') ? "" : "\n"));
}

std::string comparison_json(const Comparison& c, const ComparedBy& by) {
  return fmt::format(
      "\"near_duplicate\":{},\"other_facts\":{},\"threshold\":{},\"jaccard\":{},\"containment\":{},\"lcs\":{},\"edit_distance\":{},"
      "\"edit_distance_exact\":{},{},\"distance\":{},\"bits\":{},\"a\":{},\"b\":{},\"profile\":{},\"profile_id\":{},"
      "\"rule\":{},\"rule_id\":{}",
      c.near_duplicate, c.other_facts, c.threshold, c.jaccard, c.containment, c.lcs, c.edit_distance, c.edit_distance_exact,
      measures_json(c), c.distance ? std::to_string(*c.distance) : "null", by.profile.bits, optional_json(c.a), optional_json(c.b),
      json_string(by.profile.name), json_string(by.profile_id), json_string(by.rule.name), json_string(by.rule_id));
}

std::string difference_json(std::string_view a, std::string_view b, const Comparison& c) {
  std::string out = "\"diff\":[";
  for (std::size_t i = 0; i < c.diff.size(); ++i) {
    const DiffRun& run = c.diff[i];
    out += fmt::format("{}{{\"same\":{},\"a\":{},\"b\":{}}}", i == 0 ? "" : ",", run.same,
                       json_string(a.substr(run.a_begin, run.a_end - run.a_begin)),
                       json_string(b.substr(run.b_begin, run.b_end - run.b_begin)));
  }
  return out + "]";
}

}  // namespace leitong::cli
