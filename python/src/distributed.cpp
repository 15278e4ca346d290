// The stages of dedup for engines that spread them over machines: columns of Arrow and NumPy in, bytes of columns out.
#include "leitong/distributed.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "bindings.h"
#include "leitong/error.h"
#include "options.h"
#include "texts.h"
#include "waiting.h"

namespace leitong::python {
namespace {

template <class T>
using Numbers = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> values_of(const Numbers<T>& numbers) {
  return {numbers.data(), numbers.shape(0)};
}

template <class T>
nb::bytes bytes_of(const std::vector<T>& values) {
  return nb::bytes(values.data(), values.size() * sizeof(T));
}

void check_length(std::size_t given, std::size_t wanted, const char* what) {
  if (given != wanted)
    throw Error(ErrorCode::usage, std::string(what) + ": " + std::to_string(given) + " values for " + std::to_string(wanted) + " rows");
}

// All values of a column as views; a missing one has no data. `source`: as texts_of takes it.
class Column {
 public:
  Column(nb::handle source, const char* what, std::optional<std::size_t> rows = std::nullopt) {
    const std::unique_ptr<Texts> texts = texts_of(source);
    for (TextBatch batch; texts->next(batch); batch = {}) {
      views_.insert(views_.end(), batch.texts.begin(), batch.texts.end());
      held_.push_back(std::move(batch));
    }
    if (rows) check_length(views_.size(), *rows, what);
  }
  [[nodiscard]] std::size_t size() const { return views_.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t row) const { return views_[row]; }
  // As numbers of 32 bits, which need not be aligned.
  [[nodiscard]] std::span<const std::uint32_t> numbers(std::size_t row, std::vector<std::uint32_t>& copy) const {
    copy.resize(views_[row].size() / sizeof(std::uint32_t));
    std::memcpy(copy.data(), views_[row].data(), copy.size() * sizeof(std::uint32_t));
    return copy;
  }

 private:
  std::vector<TextBatch> held_;
  std::vector<std::string_view> views_;
};

// A column of byte strings: data and the end of each, as Arrow has them.
struct BytesColumn {
  std::vector<char> data;
  std::vector<std::int32_t> offsets = {0};
  void add(const void* bytes, std::size_t size) {
    const auto* begin = static_cast<const char*>(bytes);
    data.insert(data.end(), begin, begin + size);
    if (data.size() > INT32_MAX)
      throw Error(ErrorCode::limit, "more than 2 GiB in one batch: make spark.sql.execution.arrow.maxRecordsPerBatch smaller");
    offsets.push_back(static_cast<std::int32_t>(data.size()));
  }
  [[nodiscard]] nb::tuple give() const { return nb::make_tuple(bytes_of(data), bytes_of(offsets)); }
};

// Texts to columns of sketches. Word w of a fixed column of several words stands in column "name" + w.
class Sketches {
 public:
  explicit Sketches(const std::string& profile) : profile_(profile_of(profile)), sketcher_(profile_) {}

  nb::dict operator()(nb::handle source) {
    const Column texts(source, "texts");
    Columns columns(fingerprint_words(profile_.bits));
    {
      const nb::gil_scoped_release release;
      for (std::size_t i = 0; i < texts.size(); ++i) columns.add(sketcher_(texts[i]), texts[i].size());
    }
    return columns.give();
  }

 private:
  static constexpr unsigned words_of_bits = 5;
  struct Columns {
    explicit Columns(unsigned words) : fingerprint(words) {}
    void add(const distributed::Sketch& sketch, std::size_t bytes) {
      for (std::size_t w = 0; w < 2; ++w) content[w].push_back(sketch.content[w]);
      tokens.push_back(static_cast<std::int32_t>(sketch.tokens));
      features.push_back(static_cast<std::int32_t>(sketch.features));
      text_bytes.push_back(static_cast<std::int64_t>(bytes));
      has_fingerprint.push_back(sketch.fingerprint ? 1 : 0);
      for (std::size_t w = 0; w < fingerprint.size(); ++w) fingerprint[w].push_back(sketch.fingerprint ? sketch.fingerprint->words[w] : 0);
      for (std::size_t w = 0; w < words_of_bits; ++w) bits[w].push_back(sketch.bits.empty() ? 0 : sketch.bits[w]);
      slots.add(sketch.slots.data(), sketch.slots.size());
      short_features.add(sketch.short_features.data(), sketch.short_features.size_bytes());
    }
    [[nodiscard]] nb::dict give() const {
      nb::dict out;
      const auto words = [&](const char* name, const auto& column) {
        for (std::size_t w = 0; w < column.size(); ++w) out[(name + std::to_string(w)).c_str()] = bytes_of(column[w]);
      };
      words("content", content);
      words("fingerprint", fingerprint);
      words("bits", bits);
      out["tokens"] = bytes_of(tokens);
      out["features"] = bytes_of(features);
      out["text_bytes"] = bytes_of(text_bytes);
      out["has_fingerprint"] = bytes_of(has_fingerprint);
      out["slots"] = slots.give();
      out["short_features"] = short_features.give();
      return out;
    }
    std::array<std::vector<std::uint64_t>, 2> content;
    std::vector<std::vector<std::uint64_t>> fingerprint;
    std::array<std::vector<std::uint64_t>, words_of_bits> bits;
    std::vector<std::int32_t> tokens, features;
    std::vector<std::int64_t> text_bytes;
    std::vector<std::uint8_t> has_fingerprint;
    BytesColumn slots, short_features;
  };

  Profile profile_;
  distributed::Sketcher sketcher_;
};

// (bands, slots, most distance of bits)
nb::tuple band_plan(std::uint64_t rows, std::optional<std::pair<double, double>> recall) {
  std::optional<RecallGoal> goal;
  if (recall) goal = RecallGoal{.similarity = recall->second, .recall = recall->first};
  const distributed::BandPlan plan = distributed::band_plan(rows, goal);
  return nb::make_tuple(plan.bands, plan.slots, plan.max_distance);
}

// Keys of the bands [first, last) of all rows: band << 32 | key, row by row.
nb::bytes band_keys(nb::handle source, unsigned bands, unsigned slots, unsigned first, unsigned last) {
  const Column rows(source, "slots");
  const distributed::BandPlan plan{bands, slots, 0};
  std::vector<std::uint64_t> keys;
  {
    const nb::gil_scoped_release release;
    keys.reserve(rows.size() * (last - first));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::span one(reinterpret_cast<const std::uint8_t*>(rows[i].data()), rows[i].size());
      for (unsigned band = first; band < last; ++band) keys.push_back(std::uint64_t{band} << 32 | distributed::band_key(one, plan, band));
    }
  }
  return bytes_of(keys);
}

// Pairs that groups give, as columns. A row whose group met a bound stands there with itself.
struct FoundPairs {
  std::vector<std::uint64_t> a, b;
  std::vector<float> values;
  void bounded(std::uint64_t row) { a.push_back(row), b.push_back(row), values.push_back(0); }
  [[nodiscard]] nb::tuple take() {
    const nb::tuple out = nb::make_tuple(bytes_of(a), bytes_of(b), bytes_of(values));
    a.clear(), b.clear(), values.clear();
    return out;
  }
};

class KeyGroups {
 public:
  KeyGroups()
      : groups_([this](std::uint64_t a, std::uint64_t b) { found_.a.push_back(a), found_.b.push_back(b); },
                [this](std::uint64_t row) { found_.bounded(row); }) {}
  nb::tuple add(const Numbers<std::int64_t>& keys, const Numbers<std::int64_t>& rows) {
    check_length(rows.shape(0), keys.shape(0), "rows");
    {
      const nb::gil_scoped_release release;
      for (std::size_t i = 0; i < keys.shape(0); ++i)
        groups_.add(static_cast<std::uint64_t>(keys.data()[i]), static_cast<std::uint64_t>(rows.data()[i]));
    }
    return found_.take();
  }
  nb::tuple finish() {
    groups_.finish();
    return found_.take();
  }

 private:
  FoundPairs found_;
  distributed::KeyGroups groups_;
};

nb::bytes count_short(nb::handle source, std::uint64_t counters) {
  const Column sets(source, "features");
  std::vector<std::uint32_t> counts(counters), copy;
  for (std::size_t i = 0; i < sets.size(); ++i) distributed::count_short(sets.numbers(i, copy), counts);
  return bytes_of(counts);
}

// (place of the set, feature, whether it stands in the short prefix): columns of the sets' postings.
nb::tuple short_postings(nb::handle source, const nb::bytes& counters, double threshold) {
  const Column sets(source, "features");
  std::vector<std::uint32_t> counts(counters.size() / sizeof(std::uint32_t)), copy;
  std::memcpy(counts.data(), counters.c_str(), counts.size() * sizeof(std::uint32_t));
  std::vector<std::int64_t> places, features;
  std::vector<std::uint8_t> in_short_prefix;
  for (std::size_t i = 0; i < sets.size(); ++i)
    distributed::visit_short_prefix(sets.numbers(i, copy), counts, threshold, [&](std::uint32_t feature, bool in_short) {
      places.push_back(static_cast<std::int64_t>(i));
      features.push_back(feature);
      in_short_prefix.push_back(in_short ? 1 : 0);
    });
  return nb::make_tuple(bytes_of(places), bytes_of(features), bytes_of(in_short_prefix));
}

class ShortGroups {
 public:
  explicit ShortGroups(double threshold)
      : groups_(
            threshold,
            [this](std::uint64_t a, std::uint64_t b, float value) {
              found_.a.push_back(a), found_.b.push_back(b), found_.values.push_back(value);
            },
            [this](std::uint64_t row) { found_.bounded(row); }) {}
  // `marks`: 1 if the text is short, 2 if the feature stands in the short prefix.
  nb::tuple add(const Numbers<std::int64_t>& features, const Numbers<std::int64_t>& rows, const Numbers<std::int8_t>& marks,
                nb::handle source) {
    const Column sets(source, "sets", rows.shape(0));
    check_length(features.shape(0), rows.shape(0), "features");
    check_length(marks.shape(0), rows.shape(0), "marks");
    {
      const nb::gil_scoped_release release;
      std::vector<std::uint32_t> copy;
      for (std::size_t i = 0; i < rows.shape(0); ++i)
        groups_.add(static_cast<std::uint32_t>(features.data()[i]), {static_cast<std::uint64_t>(rows.data()[i]), (marks.data()[i] & 1) != 0,
                                                                     (marks.data()[i] & 2) != 0, sets.numbers(i, copy)});
    }
    return found_.take();
  }
  nb::tuple finish() {
    groups_.finish();
    return found_.take();
  }

 private:
  FoundPairs found_;
  distributed::ShortGroups groups_;
};

// (keys, place of the text of each)
nb::tuple template_keys(const std::string& profile, nb::handle source) {
  const Column texts(source, "texts");
  std::vector<std::uint32_t> keys, places;
  {
    const nb::gil_scoped_release release;
    distributed::TemplateKeys extract(profile_of(profile));
    for (std::size_t i = 0; i < texts.size(); ++i)
      for (const std::uint32_t key : extract(texts[i])) keys.push_back(key), places.push_back(static_cast<std::uint32_t>(i));
  }
  return nb::make_tuple(bytes_of(keys), bytes_of(places));
}

class Judge {
 public:
  // `templates`: three numbers of 32 bits each: key, count without copies, count with copies.
  Judge(const std::string& profile, const std::string& rule, std::optional<double> threshold, const nb::bytes& templates)
      : rule_(rule_of(rule)), judge_(profile_of(profile), rule_, threshold, counts_of(templates)) {}

  [[nodiscard]] bool uses_templates() const { return judge_.uses_templates(); }
  [[nodiscard]] std::uint32_t template_records() const { return rule_.template_records; }

  // Of candidates, as columns: outlook, value, whether it is exact alone, whether the two are copies.
  [[nodiscard]] nb::tuple consider(const Numbers<std::int32_t>& distances, const Numbers<float>& similarities,
                                   const Numbers<std::int32_t>& tokens_a, const Numbers<std::int32_t>& tokens_b,
                                   const Numbers<std::int32_t>& features_a, const Numbers<std::int32_t>& features_b) const {
    const std::size_t rows = distances.shape(0);
    for (const auto* column : {&tokens_a, &tokens_b, &features_a, &features_b}) check_length(column->shape(0), rows, "candidates");
    check_length(similarities.shape(0), rows, "candidates");
    std::vector<std::uint8_t> outlooks, exact, copies;
    std::vector<float> values;
    for (std::size_t i = 0; i < rows; ++i) {
      distributed::Candidate one;
      one.by_bands = distances.data()[i] >= 0;
      one.distance = static_cast<std::uint32_t>(std::max(0, distances.data()[i]));
      if (similarities.data()[i] >= 0) one.similarity = similarities.data()[i];
      const auto at = [&](const Numbers<std::int32_t>& column) { return static_cast<std::uint32_t>(column.data()[i]); };
      one.tokens_a = at(tokens_a), one.tokens_b = at(tokens_b), one.features_a = at(features_a), one.features_b = at(features_b);
      const distributed::Considered said = judge_.consider(one);
      outlooks.push_back(static_cast<std::uint8_t>(said.outlook));
      values.push_back(said.value);
      exact.push_back(said.exact ? 1 : 0);
      copies.push_back(said.copies ? 1 : 0);
    }
    return nb::make_tuple(bytes_of(outlooks), bytes_of(values), bytes_of(exact), bytes_of(copies));
  }

  // Rows that come sorted by their later text: that text itself, where `earlier` is below 0, then its pairs. Gives the similarity of each
  // pair, or a negative number; of the texts themselves 0.
  nb::bytes judge(const Numbers<std::int64_t>& later, const Numbers<std::int64_t>& earlier, nb::handle source) {
    const std::size_t rows = later.shape(0);
    const Column texts(source, "texts", rows);
    check_length(earlier.shape(0), rows, "earlier");
    std::vector<float> values(rows, 0);
    {
      const nb::gil_scoped_release release;
      for (std::size_t i = 0; i < rows; ++i) {
        if (earlier.data()[i] < 0)
          judge_.set(texts[i]), set_ = later.data()[i];
        else if (set_ != later.data()[i])
          throw Error(ErrorCode::usage,
                      "record " + std::to_string(later.data()[i]) +
                          " stands in pairs, but its text is not there: the records have changed since they were sketched");
        else
          values[i] = judge_.ask(texts[i]);
      }
    }
    return bytes_of(values);
  }

 private:
  static std::vector<distributed::TemplateCount> counts_of(const nb::bytes& bytes) {
    static_assert(sizeof(distributed::TemplateCount) == 3 * sizeof(std::uint32_t));
    std::vector<distributed::TemplateCount> counts(bytes.size() / sizeof(distributed::TemplateCount));
    std::memcpy(counts.data(), bytes.c_str(), counts.size() * sizeof(distributed::TemplateCount));
    return counts;
  }

  Rule rule_;
  distributed::Judge judge_;
  std::int64_t set_ = -1;
};

class KeepOrder {
 public:
  explicit KeepOrder(const std::string& policy) : order_(policy) {}
  [[nodiscard]] std::vector<std::string> fields() const { return order_.fields(); }
  [[nodiscard]] std::vector<std::string> rules() const { return order_.rules(); }
  [[nodiscard]] bool uses_neighbours() const { return order_.uses_neighbours(); }
  // Keys of 8 bytes for each rule; `fields`: a column for each of fields().
  [[nodiscard]] nb::bytes keys(const Numbers<std::int64_t>& rows, const Numbers<std::int64_t>& text_bytes,
                               const Numbers<std::int64_t>& neighbours, nb::handle sources, const nb::list& fields) const {
    const std::size_t count = rows.shape(0);
    check_length(text_bytes.shape(0), count, "text_bytes");
    check_length(neighbours.shape(0), count, "neighbours");
    const Column source(sources, "sources", count);
    check_length(fields.size(), order_.fields().size(), "fields");
    std::vector<Column> columns;
    for (const nb::handle field : fields) columns.emplace_back(field, "a field", count);
    std::string out;
    distributed::KeepOrder::Record record;
    for (std::size_t i = 0; i < count; ++i) {
      record.number = static_cast<std::uint64_t>(rows.data()[i]);
      record.text_bytes = static_cast<std::uint64_t>(text_bytes.data()[i]);
      record.neighbours = static_cast<std::uint32_t>(std::min<std::int64_t>(neighbours.data()[i], UINT32_MAX));
      record.source = source[i];
      record.fields.clear();
      for (const Column& column : columns) record.fields.push_back(column[i]);
      order_.key(record, out);
    }
    return nb::bytes(out.data(), out.size());
  }

 private:
  distributed::KeepOrder order_;
};

class Stars {
 public:
  nb::bytes takes(const Numbers<std::int64_t>& components, const Numbers<std::int64_t>& better, const Numbers<std::int64_t>& worse) {
    const std::size_t rows = components.shape(0);
    check_length(better.shape(0), rows, "better");
    check_length(worse.shape(0), rows, "worse");
    std::vector<std::uint8_t> out(rows);
    const auto at = [](const Numbers<std::int64_t>& column, std::size_t i) { return static_cast<std::uint64_t>(column.data()[i]); };
    for (std::size_t i = 0; i < rows; ++i) out[i] = stars_.takes(at(components, i), at(better, i), at(worse, i)) ? 1 : 0;
    return bytes_of(out);
  }

 private:
  distributed::Stars stars_;
};

double short_threshold(const std::string& profile, const std::string& rule, std::optional<double> threshold) {
  return distributed::short_threshold(profile_of(profile), rule_of(rule), threshold);
}

// (has a second sketch, least tokens of a text that is not short)
nb::tuple profile_sketch(const std::string& profile_text) {
  const Profile profile = profile_of(profile_text);
  return nb::make_tuple(profile.minhash, profile.short_tokens);
}

}  // namespace

void bind_distributed(nb::module_& m) {
  nb::class_<Sketches>(m, "Sketches")
      .def(nb::init<const std::string&>())
      .def("__call__", &Sketches::operator(), nb::sig("def __call__(self, texts: object) -> dict[str, typing.Any]"));
  m.def("profile_sketch", &profile_sketch, nb::arg("profile"), nb::sig("def profile_sketch(profile: str) -> tuple[bool, int]"));
  m.def("band_plan", &band_plan, nb::arg("rows"), nb::arg("recall").none() = nb::none(),
        nb::sig("def band_plan(rows: int, recall: tuple[float, float] | None = None) -> tuple[int, int, int]"));
  m.def("band_keys", &band_keys, nb::arg("slots"), nb::arg("bands"), nb::arg("slots_of_band"), nb::arg("first"), nb::arg("last"));
  nb::class_<KeyGroups>(m, "KeyGroups")
      .def(nb::init<>())
      .def("add", &KeyGroups::add, nb::sig("def add(self, keys: typing.Any, rows: typing.Any) -> tuple[bytes, bytes, bytes]"))
      .def("finish", &KeyGroups::finish, nb::sig("def finish(self) -> tuple[bytes, bytes, bytes]"));
  m.def("short_counters", &distributed::short_counters, nb::arg("features"));
  m.def("count_short", &count_short, nb::arg("features"), nb::arg("counters"));
  m.def("short_threshold", &short_threshold, nb::arg("profile"), nb::arg("rule"), nb::arg("threshold").none());
  m.def("short_postings", &short_postings, nb::arg("features"), nb::arg("counters"), nb::arg("threshold"),
        nb::sig("def short_postings(features: object, counters: bytes, threshold: float) -> tuple[bytes, bytes, bytes]"));
  nb::class_<ShortGroups>(m, "ShortGroups")
      .def(nb::init<double>())
      .def("add", &ShortGroups::add,
           nb::sig("def add(self, features: typing.Any, rows: typing.Any, marks: typing.Any, sets: object) -> tuple[bytes, bytes, bytes]"))
      .def("finish", &ShortGroups::finish, nb::sig("def finish(self) -> tuple[bytes, bytes, bytes]"));
  m.def("template_features", &distributed::template_features);
  m.def("template_keys", &template_keys, nb::arg("profile"), nb::arg("texts"),
        nb::sig("def template_keys(profile: str, texts: object) -> tuple[bytes, bytes]"));
  nb::class_<Judge>(m, "Judge")
      .def(nb::init<const std::string&, const std::string&, std::optional<double>, const nb::bytes&>(), nb::arg("profile"), nb::arg("rule"),
           nb::arg("threshold").none(), nb::arg("templates"))
      .def("uses_templates", &Judge::uses_templates)
      .def("template_records", &Judge::template_records)
      .def("consider", &Judge::consider,
           nb::sig("def consider(self, distances: typing.Any, similarities: typing.Any, tokens_a: typing.Any, tokens_b: typing.Any, "
                   "features_a: typing.Any, features_b: typing.Any) -> tuple[bytes, bytes, bytes, bytes]"))
      .def("judge", &Judge::judge, nb::sig("def judge(self, later: typing.Any, earlier: typing.Any, texts: object) -> bytes"));
  nb::class_<KeepOrder>(m, "KeepOrder")
      .def(nb::init<const std::string&>())
      .def("fields", &KeepOrder::fields)
      .def("rules", &KeepOrder::rules)
      .def("uses_neighbours", &KeepOrder::uses_neighbours)
      .def("keys", &KeepOrder::keys,
           nb::sig("def keys(self, rows: typing.Any, text_bytes: typing.Any, neighbours: typing.Any, sources: object, "
                   "fields: list[object]) -> bytes"));
  nb::class_<Stars>(m, "Stars")
      .def(nb::init<>())
      .def("takes", &Stars::takes, nb::sig("def takes(self, components: typing.Any, better: typing.Any, worse: typing.Any) -> bytes"));
}

}  // namespace leitong::python
