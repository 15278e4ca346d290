// What a job would take, from a sample: the first part of the inputs is sketched and joined for real, and the figures are scaled.

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "corpus/job.h"
#include "corpus/stages.h"
#include "leitong/error.h"

namespace leitong {
namespace {

constexpr std::uint64_t sample_bytes = 64ULL << 20;

class TemporaryDirectory {
 public:
  TemporaryDirectory() : path_(std::filesystem::temp_directory_path() / fmt::format("leitong-plan-{}", getpid())) {
    std::filesystem::create_directories(path_);
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  [[nodiscard]] std::string file(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::uint64_t scaled(std::uint64_t value, double factor) { return static_cast<std::uint64_t>(static_cast<double>(value) * factor); }

}  // namespace

Plan plan(const DedupOptions& options) {
  const TemporaryDirectory directory;
  const corpus::Job job(options.job, "plan");
  SketchOptions sketch;
  sketch.input = options.input, sketch.profile = options.profile, sketch.job = options.job;
  sketch.output = directory.file("sketch.ltt"), sketch.spool = directory.file("spool");
  const auto start = std::chrono::steady_clock::now();
  const auto sample = corpus::sketch_sample(sketch, sample_bytes);
  JoinOptions join;
  join.sketches = {sketch.output}, join.output = directory.file("pairs.ltt"), join.k = options.k, join.job = options.job;
  const Counts joined = stage::join(join);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  Plan plan;
  plan.sampled_records = sample.counts.records;
  plan.exact = sample.whole;
  const double factor = sample.whole || sample.packed_bytes == 0
                            ? 1.0
                            : std::max(1.0, static_cast<double>(sample.total_bytes) / static_cast<double>(sample.packed_bytes));
  plan.records = scaled(sample.counts.records, factor);
  plan.input_bytes = std::max(sample.total_bytes, sample.packed_bytes);
  plan.candidates = scaled(joined.candidates, factor);
  plan.spool_bytes = scaled(sample.spooled_bytes, factor);
  const std::uint64_t stages = scaled(std::filesystem::file_size(sketch.output) + 2 * std::filesystem::file_size(join.output), factor);
  plan.disk_bytes = stages + plan.spool_bytes + scaled(sample.counts.bytes, factor);
  // The join holds most: for a row its bit sketch, one band's keys and their partition; beside it the sort's share. Never more than the
  // budget.
  const std::uint64_t row = 40 + 16 + 20 + 16;
  plan.memory_bytes =
      std::min<std::uint64_t>(job.memory(), plan.records * row + plan.candidates * 32 + job.threads() * (8ULL << 20) + (16ULL << 20));
  // Verification reads the candidates' texts again and the outputs are written: by measure about half of the sketching time more.
  plan.seconds = seconds * factor * 1.5;
  return plan;
}

}  // namespace leitong
