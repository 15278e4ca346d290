// Inverse document frequencies: how rare each word of a collection is, as the table that weights = tfidf and java-hanlp-tfidf read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "leitong/input.h"
#include "leitong/job.h"
#include "leitong/profile.h"
#include "leitong/stages.h"

namespace leitong {

// A formula of the idf of a word that df of N documents hold; natural logarithms.
struct IdfFormula {
  std::string_view name;     // "standard"
  std::string_view formula;  // "log(N / (df + 1))"
  std::string_view origin;   // who uses it
  double (*value)(double documents, double df);
};
// The usual one first.
[[nodiscard]] std::span<const IdfFormula> idf_formulas();
// By name. Throws Error(usage) for any other.
[[nodiscard]] const IdfFormula& find_idf_formula(std::string_view name);

struct IdfOptions {
  InputOptions input;
  Profile profile;  // says what the words are: those of its Segmenter; its weights and tables do not matter
  JobOptions job;
  std::string output;                 // the table; it appears under its name only when it is whole
  std::string formula = "standard";   // of idf_formulas()
  std::uint64_t least_documents = 1;  // words that fewer documents hold are left out
};

struct IdfCounts {
  Counts records;
  std::uint64_t documents = 0;   // good records: the N of the formulas
  std::uint64_t words = 0;       // lines of the table
  std::uint64_t rare = 0;        // left out: fewer documents than asked for
  std::uint64_t unwritable = 0;  // left out: words that hold white space or a surrogate without its partner
  std::uint64_t raised = 0;      // to 0, from a negative value
};

// Reads the inputs once and writes a line "word idf" for each word, in the order of their bytes; numbers in the shortest form that reads
// back equal. Words without a letter or digit are left out; what the formula makes negative is written as 0, because a weight has no sign.
// The same bytes whatever the threads and the memory: what does not fit JobOptions::memory is sorted in files beside the output.
// Errors: those of map_records and of the Segmenter; io for the output; format if there is no word to write.
IdfCounts make_idf(const IdfOptions& options);

}  // namespace leitong
