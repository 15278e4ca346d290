// Keep policy: which copy of a group stays. An ordered list of rules; the first that tells two records apart decides; at last the lower
// record number.
//
//   central                       how many other texts resemble it, most first
//   length:max | length:min       text length in bytes
//   first | last                  record number
//   FIELD:max | FIELD:min         a field as a decimal number (records without one come last)
//   FIELD:newest | FIELD:oldest   a field as a date (records without one come last)
//   url                           an address that its page names as its canonical one, then https before http, then the shortest; a record
//                                 without an address comes last
//   site:a>b>c                    the host of the address is the one listed earliest, or a part of it ("example.com" takes
//                                 "www.example.com" too), or the field "site" has that value; others come last
//   FIELD:a>b>c                   the value listed earliest wins; records with none of them come last
//
// Rules are separated by commas; blanks around rules and values do not count. FIELD ends at the last colon if a keyword follows it
// ("dc:date:newest"), else at the first. A value is compared byte by byte.
//
// Dates: yyyy, yyyy-mm, yyyy-mm-dd, the last optionally with 'T' or a space, hh:mm, hh:mm:ss or hh:mm:ss.fraction, and Z, ±hh, ±hhmm or
// ±hh:mm (UTC if absent); or any other decimal number: seconds since 1970. A date without day or time is the first moment of its year,
// month or day. Everything else counts as missing.
//
// FIELD "source" in a list of values: the record's own field "source", or the path of the input file if it has none. It also holds a word
// if one of its parts between slashes is the word, or the last part begins with the word and no letter follows there: "gov/harbour",
// "data/gov/a.jsonl", "gov.jsonl.gz", "gov-2024.csv" and "gov2024.csv" hold "gov"; "government.csv" does not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace leitong::cluster {

struct KeepCandidate {
  std::uint64_t record = 0;
  std::uint64_t length = 0;              // bytes of text
  std::string_view source;               // path of the input
  std::vector<std::string_view> fields;  // values of KeepPolicy::fields(), empty: missing
  std::uint32_t neighbours = 0;          // texts that resemble its text; looked at only if uses_neighbours()
};

class KeepPolicy {
 public:
  // Throws Error(usage) that names the rule and what would be right.
  explicit KeepPolicy(std::string_view text);
  [[nodiscard]] const std::vector<std::string>& fields() const;  // the fields that must be carried along, in order of first use
  [[nodiscard]] bool uses_neighbours() const;                    // any rule
  [[nodiscard]] bool uses_neighbours(std::size_t rule) const { return rules_[rule].kind == Rule::Kind::central; }
  // The rules that can decide, in order. The last is always "first" or "last", so that the keys of two records are never all equal.
  [[nodiscard]] std::size_t rules() const { return rules_.size(); }
  [[nodiscard]] const std::string& text(std::size_t rule) const { return rules_[rule].text; }  // e.g. "length:max"
  // What a rule makes of a record: of two records the one with the smaller key stays. The key of the last rule depends on the record number
  // alone.
  [[nodiscard]] std::uint64_t key(std::size_t rule, const KeepCandidate& candidate) const;

 private:
  struct Rule {
    enum class Kind { central, length_max, length_min, first, last, number_max, number_min, newest, oldest, values, url, site } kind;
    std::size_t field = 0;
    std::size_t other = 0;  // of url the field "canonical", of site the field "url"
    std::vector<std::string> values;
    std::string text;
  };
  [[nodiscard]] Rule parse_rule(std::string_view text);
  [[nodiscard]] std::size_t field_index(std::string_view name);
  [[nodiscard]] std::uint64_t address(const Rule& rule, const KeepCandidate& candidate) const;
  [[nodiscard]] std::size_t preference(const Rule& rule, const KeepCandidate& candidate) const;

  std::vector<Rule> rules_;
  std::vector<std::string> fields_;
};

}  // namespace leitong::cluster
