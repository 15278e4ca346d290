// Parity: which profile gives the fingerprints that another program has stored, and in which form they are written (WrittenForm).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "leitong/fingerprint.h"
#include "leitong/input.h"
#include "leitong/job.h"
#include "leitong/profile.h"
#include "leitong/stages.h"

namespace leitong {

struct ParityOptions {
  InputOptions input;  // of the stored records: their text field; `fields` is not used
  JobOptions job;
  std::string fingerprint_field = "fp";  // dotted path or column name
  std::string idf_file, stop_words;      // of java-hanlp-tfidf, which is tried if idf_file is given
  std::optional<Profile> profile;        // to be tried besides the Java profiles
};

// One profile, compared in one form with the stored values.
struct FormParity {
  WrittenForm form = WrittenForm::hex;
  std::uint64_t matches = 0;            // records whose stored value is the fingerprint; both missing is a match too
  std::uint64_t near = 0;               // mismatches that can be compared bit by bit
  double mean_distance = 0;             // of those, in bits
  std::vector<std::string> mismatches;  // the first ids, as JSON values; a record without id: "record 12", the twelfth good one
};

struct ProfileParity {
  Profile profile;
  std::string profile_id;
  std::string data;                 // name of the compiled dictionary
  std::vector<FormParity> forms;    // best first; ties in the order of WrittenForm
  std::uint64_t missing_there = 0;  // no value is stored, but there is a fingerprint
  std::uint64_t missing_here = 0;   // a value is stored, but the profile gives no fingerprint
  std::uint64_t rounded = 0;        // decimal mismatches that would match if numbers had 53 bits
  [[nodiscard]] const FormParity& best() const { return forms.front(); }
};

struct ParityResult {
  Counts records;
  std::uint64_t compared = 0;    // good records
  std::uint64_t missing = 0;     // of those: without a stored fingerprint
  std::uint64_t unreadable = 0;  // of those: the stored value is a fingerprint in no form; a mismatch for every profile
  std::vector<std::string> unreadable_ids;
  std::vector<ProfileParity> profiles;  // best first
  struct Fit {
    std::size_t profile = 0;  // in `profiles`
    WrittenForm form = WrittenForm::hex;
  };
  std::vector<Fit> fits;  // all records match
  struct NotTried {
    std::string profile, reason;
  };
  std::vector<NotTried> not_tried;
  std::vector<std::string> advice;  // sentences without a full stop: what the result means and what to look at next
};

// Reads the inputs once and computes each record's fingerprint under the Java profiles of every compiled dictionary that leitong::list_data
// finds (java-ik and java-hanlp with 32, 64 and 128 bits). In parallel and in bounded memory; the result does not depend on the threads.
// Errors: those of map_records; io if there is no profile to try, format if there is no record, or none with a stored fingerprint; those of
// profile_id for the given profile and tables.
[[nodiscard]] ParityResult parity(const ParityOptions& options);

}  // namespace leitong
