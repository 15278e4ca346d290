// Fingerprints, comparison, joins and the dedup job through C.
#include "leitong/c.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "c/guard.h"
#include "c/profile.h"
#include "leitong/dedup.h"
#include "leitong/error.h"
#include "leitong/fingerprint.h"
#include "leitong/hamming.h"
#include "leitong/similarity.h"
#include "leitong/stages.h"
#include "leitong/version.h"

namespace leitong::c {
namespace {

thread_local std::string last_error;

}  // namespace

void set_last_error(const char* message) noexcept {
  try {
    last_error = message;
  } catch (...) {
    last_error.clear();
  }
}

int status_of(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::usage:
      return LEITONG_USAGE;
    case ErrorCode::io:
      return LEITONG_IO;
    case ErrorCode::format:
      return LEITONG_FORMAT;
    case ErrorCode::limit:
      return LEITONG_LIMIT;
    case ErrorCode::unsupported:
      return LEITONG_UNSUPPORTED;
    case ErrorCode::interrupted:
      return LEITONG_INTERRUPTED;
  }
  return LEITONG_INTERNAL;
}

int status_of_current_exception() noexcept {
  try {
    throw;
  } catch (const Error& error) {
    set_last_error(error.what());
    return status_of(error.code());
  } catch (const std::exception& error) {
    set_last_error(error.what());
  } catch (...) {
    set_last_error("unknown error");
  }
  return LEITONG_INTERNAL;
}

}  // namespace leitong::c

namespace {

using leitong::c::give;
using leitong::c::guarded;
using leitong::c::options_of;
using leitong::c::profile_of;
using leitong::c::require;

void set_if(std::string& to, const char* from) {
  if (from != nullptr) to = from;
}

// The pairs of a join as C has them; not 0 from the sink ends it.
leitong::HammingPairSink given_to(leitong_pair_sink sink, void* context) {
  return [sink, context, batch = std::vector<leitong_pair>()](std::span<const leitong::HammingPair> pairs) mutable {
    batch.clear();
    for (const auto& pair : pairs) batch.push_back({pair.a, pair.b, pair.distance});
    if (sink(context, batch.data(), batch.size()) != 0) throw leitong::Error(leitong::ErrorCode::interrupted, "the sink ended the join");
  };
}

leitong::Verify verify_of(const char* name) {
  const std::string text = name == nullptr ? "text" : name;
  if (text == "text") return leitong::Verify::text;
  if (text == "sketch") return leitong::Verify::sketch;
  require(text == "none", "verify must be text, sketch or none");
  return leitong::Verify::none;
}

}  // namespace

struct leitong_fingerprinter {
  explicit leitong_fingerprinter(const leitong::Profile& profile)
      : fingerprinter(profile),
        words(leitong::fingerprint_words(profile.bits)),
        bits(profile.bits),
        least_bit_first(leitong::writes_least_bit_first(profile.program)),
        id(leitong::profile_id(profile)) {}
  leitong::Fingerprinter fingerprinter;
  unsigned words, bits;
  bool least_bit_first;
  std::string id;
};

extern "C" {

const char* leitong_version(void) {
  static const std::string text = leitong::version();
  return text.c_str();
}

const char* leitong_last_error(void) { return leitong::c::last_error.c_str(); }

int leitong_fingerprinter_new(const char* profile, leitong_fingerprinter** out) {
  return guarded([&] {
    require(out != nullptr, "out is NULL");
    *out = nullptr;
    *out = new leitong_fingerprinter(profile_of(profile));
  });
}

void leitong_fingerprinter_free(leitong_fingerprinter* fingerprinter) { delete fingerprinter; }

unsigned leitong_fingerprinter_words(const leitong_fingerprinter* fingerprinter) {
  return fingerprinter == nullptr ? 0 : fingerprinter->words;
}

unsigned leitong_fingerprinter_bits(const leitong_fingerprinter* fingerprinter) {
  return fingerprinter == nullptr ? 0 : fingerprinter->bits;
}

int leitong_fingerprinter_least_bit_first(const leitong_fingerprinter* fingerprinter) {
  return fingerprinter != nullptr && fingerprinter->least_bit_first ? 1 : 0;
}

const char* leitong_fingerprinter_profile_id(const leitong_fingerprinter* fingerprinter) {
  return fingerprinter == nullptr ? "" : fingerprinter->id.c_str();
}

int leitong_fingerprint_batch(leitong_fingerprinter* fingerprinter, const char* const* texts, const size_t* lengths, size_t count,
                              uint64_t* words, uint8_t* present, uint32_t* features) {
  return guarded([&] {
    require(fingerprinter != nullptr && words != nullptr && present != nullptr, "fingerprinter, words or present is NULL");
    require(count == 0 || (texts != nullptr && lengths != nullptr), "texts or lengths is NULL");
    for (size_t i = 0; i < count; ++i) {
      require(texts[i] != nullptr || lengths[i] == 0, "a text is NULL");
      const auto result = fingerprinter->fingerprinter({texts[i], lengths[i]});
      present[i] = result.fingerprint ? 1 : 0;
      for (unsigned w = 0; w < fingerprinter->words; ++w)
        words[i * fingerprinter->words + w] = result.fingerprint ? result.fingerprint->words[w] : 0;
      if (features != nullptr) features[i] = result.features;
    }
  });
}

int leitong_compare(const char* profile, const char* a, size_t a_length, const char* b, size_t b_length, leitong_comparison* out) {
  return guarded([&] {
    require(out != nullptr, "out is NULL");
    require((a != nullptr || a_length == 0) && (b != nullptr || b_length == 0), "a or b is NULL");
    const auto comparison = leitong::compare({a, a_length}, {b, b_length}, profile_of(profile));
    give<leitong_comparison>({0, comparison.distance ? static_cast<int>(*comparison.distance) : -1, comparison.jaccard,
                              comparison.containment, comparison.lcs, comparison.threshold},
                             out, "leitong_comparison");
  });
}

int leitong_hamming_self_join(const uint64_t* values, size_t rows, unsigned words, unsigned k, unsigned threads, leitong_pair_sink sink,
                              void* context) {
  return guarded([&] {
    require(sink != nullptr && (rows == 0 || values != nullptr), "sink or values is NULL");
    leitong::hamming_self_join({values, rows * words}, {words, k, threads == 0 ? 1 : threads}, given_to(sink, context));
  });
}

int leitong_hamming_join(const uint64_t* left, size_t left_rows, const uint64_t* right, size_t right_rows, unsigned words, unsigned k,
                         unsigned threads, leitong_pair_sink sink, void* context) {
  return guarded([&] {
    require(sink != nullptr && (left_rows == 0 || left != nullptr) && (right_rows == 0 || right != nullptr), "sink, left or right is NULL");
    leitong::hamming_join({left, left_rows * words}, {right, right_rows * words}, {words, k, threads == 0 ? 1 : threads},
                          given_to(sink, context));
  });
}

int leitong_dedup(const leitong_dedup_options* given, leitong_dedup_counts* counts) {
  return guarded([&] {
    require(given != nullptr, "options is NULL");
    const leitong_dedup_options options = options_of(given, "leitong_dedup_options");
    require(options.inputs != nullptr && options.input_count > 0 && options.output_dir != nullptr, "inputs and output_dir are needed");
    require(std::none_of(options.inputs, options.inputs + options.input_count, [](const char* path) { return path == nullptr; }),
            "an input is NULL");
    if (counts != nullptr) require(counts->size >= sizeof(counts->size), "leitong_dedup_counts: its size is not set");
    leitong::DedupOptions job;
    job.input.paths.assign(options.inputs, options.inputs + options.input_count);
    set_if(job.input.format, options.format);
    set_if(job.input.text_field, options.text_field);
    set_if(job.input.id_field, options.id_field);
    set_if(job.keep, options.keep);
    job.input.strict = options.strict != 0;
    job.output_dir = options.output_dir;
    job.profile = profile_of(options.profile);
    if (options.rule != nullptr) job.rule = leitong::load_rule(options.rule);
    job.verify = verify_of(options.verify);
    if (options.use_k != 0) job.k = options.k;
    job.job.threads = options.threads;
    job.job.memory = options.memory;
    job.resume = options.resume != 0, job.overwrite = options.overwrite != 0, job.annotate = options.annotate != 0;
    std::atomic<bool> stop = false;
    job.job.stop = &stop;
    if (options.progress != nullptr)
      job.job.progress = [&](const leitong::Progress& at) {
        if (options.progress(options.progress_context, at.stage, at.done, at.total, at.records) != 0) stop = true;
      };
    const leitong::Counts result = leitong::dedup(job);
    if (counts == nullptr) return;
    give<leitong_dedup_counts>({0, result.records, result.rejected, result.featureless, result.clusters, result.kept, result.removed},
                               counts, "leitong_dedup_counts");
  });
}

}  // extern "C"
