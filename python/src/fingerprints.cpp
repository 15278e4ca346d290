// Texts to fingerprints, and what is done with these: digits, distances, joins.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "bindings.h"
#include "leitong/error.h"
#include "leitong/fingerprint.h"
#include "leitong/hamming.h"
#include "options.h"
#include "slices.h"
#include "texts.h"
#include "waiting.h"

namespace leitong::python {
namespace {

// Fingerprints of batches of texts on several threads, each with a Fingerprinter of its own.
class Pool {
 public:
  Pool(const Profile& profile, unsigned threads) : profile_(profile), words_(fingerprint_words(profile.bits)), fingerprinters_(threads) {
    fingerprinters_[0].emplace(profile_);  // errors of the profile come now
  }

  void operator()(const std::vector<std::string_view>& texts, std::uint64_t* words, char* present) {
    constexpr std::size_t slice = 64;
    in_slices(texts.size(), slice, fingerprinters_.size(), [&](std::size_t thread, std::size_t i) {
      std::optional<Fingerprinter>& fingerprinter = fingerprinters_[thread];
      if (!fingerprinter) fingerprinter.emplace(profile_);
      one(*fingerprinter, texts[i], words + i * words_, present[i]);
    });
  }

 private:
  void one(Fingerprinter& fingerprinter, std::string_view text, std::uint64_t* words, char& present) const {
    if (text.data() == nullptr) return;
    const Fingerprinter::Result result = fingerprinter(text);
    if (!result.fingerprint) return;
    present = 1;
    std::copy_n(result.fingerprint->words.begin(), words_, words);
  }

  const Profile& profile_;
  std::size_t words_;
  std::vector<std::optional<Fingerprinter>> fingerprinters_;
};

// words as bytes, present as bytes of 0 and 1, bits, id of the profile
nb::tuple fingerprint(nb::handle source, const std::string& column, const std::string& profile_text, unsigned threads) {
  const Profile profile = profile_of(profile_text);
  const unsigned width = fingerprint_words(profile.bits);
  std::vector<std::uint64_t> words;
  std::vector<char> present;
  std::unique_ptr<Texts> texts = texts_of(source, column);
  std::optional<Pool> pool;
  std::string id;
  without_lock([&] {
    pool.emplace(profile, threads_of(threads));
    id = profile_id(profile);
  });
  for (TextBatch batch; texts->next(batch);) {
    if (PyErr_CheckSignals() != 0) raise_interrupted(nb::python_error());
    const nb::gil_scoped_release release;
    const std::size_t rows = present.size();
    words.resize((rows + batch.texts.size()) * width);
    present.resize(rows + batch.texts.size());
    (*pool)(batch.texts, words.data() + rows * width, present.data() + rows);
  }
  return nb::make_tuple(nb::bytes(words.data(), words.size() * sizeof(std::uint64_t)), nb::bytes(present.data(), present.size()),
                        profile.bits, id);
}

Fingerprint fingerprint_at(const char* words, std::size_t row, unsigned bits) {
  Fingerprint value;
  value.bits = bits;
  const std::size_t width = fingerprint_words(bits);
  std::memcpy(value.words.data(), words + row * width * sizeof(std::uint64_t), width * sizeof(std::uint64_t));
  return value;
}

nb::list hex(const nb::bytes& words, const nb::bytes& present, unsigned bits) {
  nb::list out;
  for (std::size_t i = 0; i < present.size(); ++i)
    out.append(present.c_str()[i] != 0 ? nb::cast(to_hex(fingerprint_at(words.c_str(), i, bits))) : nb::none());
  return out;
}

// Three columns of 32 bits, row by row.
nb::bytes self_join(const nb::bytes& words, unsigned width, unsigned k, unsigned threads, std::uint64_t memory) {
  std::vector<std::uint64_t> values(words.size() / sizeof(std::uint64_t));
  std::memcpy(values.data(), words.c_str(), words.size());
  std::vector<HammingPair> pairs;
  wait_for(nb::none(), [&](JobOptions& job) {
    const HammingJoinOptions options{.words = width, .k = k, .threads = threads_of(threads), .memory = memory};
    hamming_self_join(values, options, [&](std::span<const HammingPair> some) {
      if (*job.stop) throw Error(ErrorCode::interrupted, "stopped");
      pairs.insert(pairs.end(), some.begin(), some.end());
    });
  });
  static_assert(sizeof(HammingPair) == 3 * sizeof(std::uint32_t));
  return nb::bytes(pairs.data(), pairs.size() * sizeof(HammingPair));
}

}  // namespace

void bind_fingerprints(nb::module_& m) {
  m.def("fingerprint", &fingerprint, nb::arg("texts"), nb::arg("column"), nb::arg("profile"), nb::arg("threads"),
        nb::sig("def fingerprint(texts: object, column: str, profile: str, threads: int) -> tuple[bytes, bytes, int, str]"));
  m.def("hex", &hex, nb::arg("words"), nb::arg("present"), nb::arg("bits"),
        nb::sig("def hex(words: bytes, present: bytes, bits: int) -> list[str | None]"));
  m.def("self_join", &self_join, nb::arg("words"), nb::arg("width"), nb::arg("k"), nb::arg("threads"), nb::arg("memory"));
}

}  // namespace leitong::python
