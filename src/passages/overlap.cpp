// overlap: B becomes an index, in as many parts as memory asks for; A is read once for each; what is found is sorted and written.
#include "leitong/overlap.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "leitong/error.h"
#include "outputs/output_names.h"
#include "outputs/results_directory.h"
#include "passages/overlap_common.h"
#include "passages/overlap_output.h"
#include "passages/overlap_search.h"
#include "passages/overlap_tiles.h"
#include "records/walk.h"

namespace leitong {
namespace {

// A directory for what is sorted on disk and for copies of standard input, gone at the end whatever happens: it is no result.
class Workplace {
 public:
  explicit Workplace(const std::string& output_dir) : path_(output_dir + "/sorted") { storage::posix_vfs().make_directories(path_); }
  ~Workplace() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

class OverlapJob {
 public:
  explicit OverlapJob(const OverlapOptions& options) : options_(options) {}

  OverlapCounts run() {
    records::check_paths(options_.a);  // before a mistyped name leaves a directory behind
    records::check_paths(options_.b);
    outputs::OutputRule rule;
    rule.reads(options_.job.reads);
    rule.reads(options_.a);
    rule.reads(options_.b);
    outputs::ResultsDirectory results(options_.output_dir, rule,
                                      {"summary.json", "report.html", outputs::lines_name("matches", options_.compression),
                                       outputs::lines_name("rejected", options_.compression)});
    refuse_finished();
    results.begin();
    OverlapOptions unfinished = options_;
    unfinished.output_dir = results.unfinished();
    const OverlapCounts counts = search(unfinished);
    results.publish(is_of_overlap);
    return counts;
  }

 private:
  // What a run leaves and the next one replaces, in whatever form.
  static bool is_of_overlap(const std::string& name) {
    return name == "summary.json" || name == "report.html" || outputs::is_form_of(name, "matches") || outputs::is_form_of(name, "rejected");
  }

  void refuse_finished() const {
    auto& vfs = storage::posix_vfs();
    const std::string summary = options_.output_dir + "/summary.json";
    if (vfs.exists(summary) && !options_.overwrite)
      throw Error(ErrorCode::usage, options_.output_dir + " holds a finished run: give another --output-dir, or --overwrite to replace it");
  }

  static OverlapCounts search(const OverlapOptions& options) {
    const Workplace workplace(options.output_dir);
    const std::string& directory = workplace.path();
    const job::Job job(options.job, "overlap");
    const std::uint64_t small = std::max<std::uint64_t>(job.room() / 16, 1 << 20);  // for sorting
    outputs::OutputFile rejected(options.output_dir + "/" + outputs::lines_name("rejected", options.compression));
    passages::OverlapSide a(options.a, "a", directory + "/a.spool", options.job.stop);
    passages::OverlapSide b(options.b, "b", directory + "/b.spool", options.job.stop);
    OverlapCounts counts;
    passages::OverlapFindings findings;
    passages::OverlapPairs pairs(directory, small);
    {
      passages::OverlapTiles tiles(options, b, rejected, directory, job.room() - 4 * small);
      passages::OverlapSearch search(options, a, rejected, pairs, directory, small);
      passages::OverlapCommon common(similarity::run_shape(options.span));
      std::size_t parts = 0;
      for (; const passages::OverlapTile* tile = tiles.next(); ++parts) {
        search.run(*tile);
        common.add(*tile, search.met());
      }
      if (parts == 0) {  // what A holds is to be counted, even so
        passages::OverlapTile empty{similarity::RunIndex(similarity::run_shape(options.span))};
        empty.index.finish(nullptr);
        search.run(empty);
      }
      tiles.add_counts(counts);
      findings.holding_of = search.finish(counts);
      findings.too_short_of = tiles.too_short_of();
      passages::TokenHasher hasher(options.fold_traditional);
      findings.passages = common.passages(tiles.common(), search.met(), b, hasher, counts);
    }
    rejected.finish();
    for (const passages::OverlapSide* side : {&a, &b})
      for (const std::string& sentence : side->notes()) job.note(sentence);
    for (const passages::OverlapSide* side : {&a, &b}) job.unread(side->unread());
    passages::OverlapOutput(options, a, b, std::move(findings), counts).write(pairs);
    return counts;
  }

  const OverlapOptions& options_;
};

void check(const OverlapOptions& options) {
  if (options.output_dir.empty()) throw Error(ErrorCode::usage, "no output directory given (--output-dir DIR)");
  if (options.span == 0) throw Error(ErrorCode::usage, "a span has at least one token");
  if (!(options.contained > 0 && options.contained <= 1))
    throw Error(ErrorCode::usage, "the share from which a text counts as contained is above 0 and at most 1");
  if (options.a.paths.size() != 1 || options.b.paths.size() != 1)
    throw Error(ErrorCode::usage, "A and B are one path each; a directory may hold many files");
  if (options.a.paths.front() == "-" && options.b.paths.front() == "-")
    throw Error(ErrorCode::usage, "A and B cannot both be standard input");
}

}  // namespace

OverlapCounts overlap(const OverlapOptions& options) {
  check(options);
  return OverlapJob(options).run();
}

}  // namespace leitong
