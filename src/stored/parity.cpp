// Stored fingerprints to the profile that gives them.
#include "leitong/parity.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <utility>

#include "leitong/data.h"
#include "leitong/error.h"
#include "leitong/fingerprint.h"
#include "leitong/records.h"
#include "stored/parity_advice.h"
#include "stored/stored_value.h"

namespace leitong {
namespace {

constexpr std::size_t listed_ids = 3;

// The articles' programs. Those of 32, 64 and 128 bits are tried with each.
struct JavaProfile {
  const char* name;
  DataKind kind;
  bool any_width, needs_idf;
};
constexpr std::array<JavaProfile, 5> java_profiles = {{
    {"java-ik", DataKind::ik, true, false},
    {"java-hanlp", DataKind::hanlp, true, false},
    {"java-hanlp-length", DataKind::hanlp, false, false},
    {"java-hanlp-length-short", DataKind::hanlp, false, false},
    {"java-hanlp-tfidf", DataKind::hanlp, false, true},
}};

// The compiled dictionaries that can be read, the one with the kind's own name first.
std::vector<DataInfo> dictionaries(DataKind kind, std::vector<ParityResult::NotTried>& not_tried) {
  std::vector<DataInfo> good;
  for (DataInfo& info : list_data()) {
    if (info.kind != kind) continue;
    if (!info.content.empty()) {
      good.push_back(std::move(info));
    } else {
      not_tried.push_back({fmt::format("those with {}", info.path), info.warnings.empty() ? "damaged" : info.warnings.front()});
    }
  }
  std::stable_partition(good.begin(), good.end(), [&](const DataInfo& info) { return info.name == data_kind_name(kind); });
  return good;
}

std::string how_to_add(DataKind kind) {
  try {
    return find_data(kind, "");
  } catch (const Error& error) {
    return error.what();
  }
}

// What is to be tried.
class Candidates {
 public:
  explicit Candidates(const ParityOptions& options) : options_(options) {
    if (options.idf_file.empty() && !options.stop_words.empty())
      throw Error(ErrorCode::usage, "--stop-words: java-hanlp-tfidf, which has stop words, is only tried with --idf FILE");
    for (const DataKind kind : {DataKind::ik, DataKind::hanlp}) add_kind(kind);
    if (options.profile) add_given(*options.profile);
    if (!all.empty()) return;
    std::string reasons;
    for (const auto& one : not_tried) reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", one.profile, one.reason);
    throw Error(ErrorCode::io, "there is no profile to try; " + reasons);
  }

  std::vector<ProfileParity> all;
  std::vector<ParityResult::NotTried> not_tried;

 private:
  void add_kind(DataKind kind) {
    const std::vector<DataInfo> data = dictionaries(kind, not_tried);
    std::string names;
    for (const JavaProfile& java : java_profiles) {
      if (java.kind != kind) continue;
      names += fmt::format("{}{}", names.empty() ? "" : ", ", java.name);
      if (data.empty()) continue;
      if (java.needs_idf && options_.idf_file.empty()) {
        not_tried.push_back({java.name, "needs its table of idf values and its stop words: --idf FILE --stop-words FILE"});
        continue;
      }
      for (const DataInfo& info : data) add_java(java, info);
    }
    if (data.empty()) not_tried.push_back({names, how_to_add(kind)});
  }

  void add_java(const JavaProfile& java, const DataInfo& info) {
    for (const unsigned bits : {64U, 32U, 128U}) {
      if (bits != 64 && !java.any_width) continue;
      Profile profile = load_profile(java.name);
      profile.bits = bits;
      profile.data = info.path;
      if (java.needs_idf) profile.idf_file = options_.idf_file, profile.stop_words = options_.stop_words;
      add(std::move(profile), info.name);
    }
  }

  void add_given(Profile profile) {
    if (profile.program == Program::java_001b && profile.idf_file.empty()) {
      profile.idf_file = options_.idf_file;
      if (profile.stop_words.empty()) profile.stop_words = options_.stop_words;
    }
    std::string data = profile.data;
    add(std::move(profile), std::move(data));
  }

  void add(Profile profile, std::string data) {
    ProfileParity one;
    one.profile_id = profile_id(profile);
    if (!ids_.insert(one.profile_id).second) return;
    one.profile = std::move(profile);
    one.data = std::move(data);
    one.forms.resize(written_form_count);
    for (std::size_t i = 0; i < written_form_count; ++i) one.forms[i].form = static_cast<WrittenForm>(i);
    all.push_back(std::move(one));
  }

  const ParityOptions& options_;
  std::set<std::string> ids_;
};

// What a worker says of one record, as bytes: this, for each profile a Verdict, and the id.
struct RecordHead {
  std::uint64_t id_size, digits;
  bool missing, unreadable;
};
struct Verdict {
  stored::FormDistances distances;
  bool missing;  // the profile gives no fingerprint
};

template <typename Value>
void append_bytes(std::string& out, const Value& value) {
  const std::size_t at = out.size();
  out.resize(at + sizeof value);
  std::memcpy(out.data() + at, &value, sizeof value);
}

template <typename Value>
Value take_bytes(std::string_view& from) {
  Value value;
  std::memcpy(&value, from.data(), sizeof value);
  from.remove_prefix(sizeof value);
  return value;
}

RecordWorker worker(const std::vector<ProfileParity>& profiles) {
  const auto fingerprinters = std::make_shared<std::vector<Fingerprinter>>();
  for (const ProfileParity& one : profiles) fingerprinters->emplace_back(one.profile);
  return [fingerprinters](const RecordView& record, std::string& out) {
    const stored::StoredValue stored = stored::read_stored_value(record.fields[0]);
    append_bytes(out, RecordHead{record.id.size(), stored.hex_digits, stored.none, !stored.readable()});
    for (Fingerprinter& fingerprinter : *fingerprinters) {
      const std::optional<Fingerprint> own = fingerprinter(record.text).fingerprint;
      append_bytes(out, Verdict{stored::form_distances(stored, own), !own});
    }
    out += record.id;
  };
}

// Adds up what the workers say, in the order of the records.
class Tally {
 public:
  explicit Tally(ParityResult& result) : result_(result) {}

  void add(std::string_view said) {
    while (!said.empty()) {
      const auto head = take_bytes<RecordHead>(said);
      verdicts_.clear();
      for (std::size_t i = 0; i < result_.profiles.size(); ++i) verdicts_.push_back(take_bytes<Verdict>(said));
      add_record(head, said.substr(0, head.id_size));
      said.remove_prefix(head.id_size);
    }
  }

  // Of the longest value, if it is hexadecimal.
  [[nodiscard]] std::uint64_t most_digits() const { return most_digits_; }

  // Means instead of sums; the best first.
  void finish() {
    for (ProfileParity& one : result_.profiles) {
      for (FormParity& form : one.forms)
        if (form.near > 0) form.mean_distance /= static_cast<double>(form.near);
      std::stable_sort(one.forms.begin(), one.forms.end(), better);
    }
    std::stable_sort(result_.profiles.begin(), result_.profiles.end(), [](const ProfileParity& a, const ProfileParity& b) {
      // A distance says more in a wider fingerprint.
      return std::pair(b.best().matches, relative(a)) < std::pair(a.best().matches, relative(b));
    });
  }

 private:
  static double relative(const ProfileParity& one) { return one.best().near == 0 ? 1.0 : one.best().mean_distance / one.profile.bits; }
  static bool better(const FormParity& a, const FormParity& b) {
    const auto distance = [](const FormParity& form) { return form.near == 0 ? 256.0 : form.mean_distance; };
    return std::pair(b.matches, distance(a)) < std::pair(a.matches, distance(b));
  }

  void add_record(const RecordHead& head, std::string_view id) {
    ++result_.compared;
    most_digits_ = std::max(most_digits_, head.digits);
    const std::string name = id.empty() ? fmt::format("\"record {}\"", result_.compared) : std::string(id);
    if (head.missing) ++result_.missing;
    if (head.unreadable) {
      ++result_.unreadable;
      if (result_.unreadable_ids.size() < listed_ids) result_.unreadable_ids.push_back(name);
    }
    for (std::size_t i = 0; i < verdicts_.size(); ++i) add_verdict(head, verdicts_[i], name, result_.profiles[i]);
  }

  static void add_verdict(const RecordHead& head, const Verdict& verdict, const std::string& name, ProfileParity& profile) {
    profile.missing_there += head.missing && !verdict.missing ? 1 : 0;
    profile.missing_here += !head.missing && verdict.missing ? 1 : 0;
    profile.rounded += verdict.distances.rounded ? 1 : 0;
    for (FormParity& form : profile.forms) {  // in the order of WrittenForm until finish()
      const std::uint8_t distance = verdict.distances.bits[static_cast<std::size_t>(form.form)];
      if (distance == 0) {
        ++form.matches;
        continue;
      }
      if (form.mismatches.size() < listed_ids) form.mismatches.push_back(name);
      if (distance == stored::not_comparable) continue;
      ++form.near;
      form.mean_distance += distance;
    }
  }

  ParityResult& result_;
  std::vector<Verdict> verdicts_;
  std::uint64_t most_digits_ = 0;
};

bool is_hex(WrittenForm form) { return form == WrittenForm::hex || form == WrittenForm::reversed_hex; }

// Words of one or two characters have a small hash, so that a fingerprint may be the same number in 64 and in 128 bits. The digits that are
// written then tell the width.
void drop_other_widths(ParityResult& result, std::uint64_t digits) {
  const auto of_width = [&](const ParityResult::Fit& fit) {
    return is_hex(fit.form) && result.profiles[fit.profile].profile.bits == 4 * digits;
  };
  const std::vector<ParityResult::Fit> all = result.fits;
  std::erase_if(result.fits, [&](const ParityResult::Fit& fit) {
    const ProfileParity& one = result.profiles[fit.profile];
    return !of_width(fit) && std::any_of(all.begin(), all.end(), [&](const ParityResult::Fit& other) {
      const ProfileParity& better = result.profiles[other.profile];
      return of_width(other) && other.form == fit.form && better.profile.name == one.profile.name && better.data == one.data;
    });
  });
}

void find_fits(ParityResult& result, std::uint64_t digits) {
  for (std::size_t i = 0; i < result.profiles.size(); ++i)
    for (const FormParity& form : result.profiles[i].forms)
      if (form.matches == result.compared) result.fits.push_back({i, form.form});
  drop_other_widths(result, digits);
}

}  // namespace

ParityResult parity(const ParityOptions& options) {
  Candidates candidates(options);
  ParityResult result;
  result.profiles = std::move(candidates.all);
  result.not_tried = std::move(candidates.not_tried);
  InputOptions input = options.input;
  input.fields = {options.fingerprint_field};
  Tally tally(result);
  result.records =
      map_records(input, options.job, "parity", [&] { return worker(result.profiles); }, [&](std::string_view said) { tally.add(said); });
  if (result.compared == 0) throw Error(ErrorCode::format, "the inputs hold no good record to compare");
  if (result.missing == result.compared)
    throw Error(ErrorCode::format,
                fmt::format("no record has a fingerprint in its field \"{}\": name the field with --fp-field PATH (a value "
                            "inside an object by both names: fp.hex)",
                            options.fingerprint_field));
  tally.finish();
  find_fits(result, tally.most_digits());
  result.advice = stored::parity_advice(result);
  return result;
}

}  // namespace leitong
