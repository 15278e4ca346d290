// Stage 4: forms clusters from the edges, and chooses the record that each cluster keeps.
//
// Only one bit for each row is held in memory. Everything else is brought together by sorts that spill to disk: each step sorts small
// records (two numbers of 64 bits) by the key that the next step needs. The steps, with the key of their records:
//
//   degrees    row                     number of edges of each text, if the keep policy asks for it
//   neighbours row                     the same number for every row that has the text
//   rows       row                     rows with an edge
//   keys       a rule's key, position  once for each rule of the keep policy, the last rule first: positions in keep order
//   old        old or new, position    puts old records first and documents of stores next, whatever the policy says
//   rows       row                     position, and the first row with an equal text
//   classes    first row, position     rows with equal texts form a class: its best row represents it, and that row's position is its rank
//   ends       later row of an edge    replaces both ends of an edge by ranks
//   edges      smaller, greater rank   the order in which stars are formed
//   members    rank                    assigns each class to its star
//   stars      rank of the star        kept row, size
//   first rows smallest row            numbers the clusters
//   kept       kept row                copies the kept row's sketch to each of its members
//   facts      row                     written to the cluster file

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>

#include "cluster/keep.h"
#include "cluster/star.h"
#include "job/job.h"
#include "leitong/error.h"
#include "sketches/sketch_file.h"
#include "stages/pair_reader.h"
#include "stages/stages.h"
#include "storage/external_sort.h"

namespace leitong {
namespace {

using sketches::SketchColumns;
using stages::ClusterColumns;
using stages::PairColumns;
using stages::PairKind;
using storage::SortRecord;
using Sort = std::unique_ptr<storage::ExternalSort>;

constexpr std::uint64_t pack(std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32 | low; }
constexpr std::uint32_t high_of(std::uint64_t packed) { return static_cast<std::uint32_t>(packed >> 32); }
constexpr std::uint32_t low_of(std::uint64_t packed) { return static_cast<std::uint32_t>(packed); }
void add(const Sort& sort, std::uint64_t high, std::uint64_t low) {
  const SortRecord record{high, low};
  sort->add({&record, 1});
}

constexpr std::uint32_t equal_texts = 0xffffffffU;  // stands in the place of a similarity's bits
constexpr std::uint32_t none = 0xffffffffU;         // no row

// Memory is divided into equal shares: four sorts run at the same time, and the bits take one share.
constexpr std::uint64_t shares = 5;

struct Edge {
  std::uint32_t a = 0, b = 0, similarity = 0;
  bool equal = false;
};

// Reads the edges in the order of the file, ascending by (a, b).
class EdgeReader {
 public:
  EdgeReader(const storage::TableReader& table, std::uint64_t rows) : table_(table), rows_(rows), pairs_(table) {}
  bool next(Edge& edge) {
    stages::PairRow row;
    if (!pairs_.next(row)) return false;
    if (row.b >= rows_ || row.a >= row.b || pack(row.a, row.b) <= last_)
      throw Error(ErrorCode::format,
                  fmt::format("{}: the edge of rows {} and {} is out of order, or they are not in its sketch files; run verify again",
                              table_.path(), row.a, row.b));
    last_ = pack(row.a, row.b);
    edge = {row.a, row.b, std::bit_cast<std::uint32_t>(row.value), row.kind == PairKind::equal};
    return true;
  }

 private:
  const storage::TableReader& table_;
  std::uint64_t rows_, last_ = 0;
  stages::PairRows pairs_;
};

// The number of texts that resemble a row's text; rows must be asked for in ascending order.
class Neighbours {
 public:
  explicit Neighbours(Sort counts) : counts_(std::move(counts)) {}
  [[nodiscard]] std::uint32_t of(std::uint32_t row) {
    if (counts_ == nullptr) return 0;
    for (;; left_ = left_.subspan(1)) {
      if (left_.empty() && (left_ = counts_->next()).empty()) return 0;
      if (left_.front().high >= row) return left_.front().high == row ? low_of(left_.front().low) : 0;
    }
  }

 private:
  Sort counts_;
  std::span<const SortRecord> left_;
};

class ClusterJob {
 public:
  ClusterJob(const ClusterOptions& options, job::Job& job)
      : options_(options),
        job_(job),
        edges_(stages::open_stage_file(options.edges, "edges")),
        metadata_(stages::stage_metadata_from_json(edges_.metadata(), options.edges)),
        set_(metadata_.sketches, metadata_.old_sketches),
        policy_(options.keep),
        words_(fingerprint_words(set_.profile().bits)),
        share_(job.room() / shares) {}

  Counts run() {
    check_memory();
    map_fields();
    Sort members, ends = ends_of(classes(positions(rows())), members);
    form_stars(ranked(std::move(ends)), members);
    return write(facts(kept(first_rows(stars(std::move(members))))));
  }

 private:
  void check_memory() const {
    const std::uint64_t rows = std::min(set_.rows(), 2 * edges_.rows());
    if (rows / 8 > share_)
      throw Error(ErrorCode::limit,
                  fmt::format("clustering up to {} records that have a near-duplicate takes a memory budget of at least {}M", rows,
                              ((rows / 8 + 1) * shares + job::Job::fixed_memory + (1U << 20) - 1) >> 20));
  }

  // Finds the columns of the policy's fields in each sketch file.
  void map_fields() {
    for (const auto& file : set_.files()) {
      std::vector<std::size_t> places;
      for (const std::string& field : policy_.fields()) {
        const auto& carried = file.metadata.input.fields;
        const auto found = std::find(carried.begin(), carried.end(), field);
        if (found == carried.end() && field != "source" && !set_.is_old(file.first_row))
          throw Error(ErrorCode::usage,
                      fmt::format("--keep uses the field \"{}\", which {} does not carry: run sketch again with --fields {}", field,
                                  file.table->path(), fmt::join(policy_.fields(), ",")));
        places.push_back(static_cast<std::size_t>(found - carried.begin()));
      }
      places_.push_back(std::move(places));
    }
  }

  [[nodiscard]] Sort sort_by(const char* what, bool unique = false) const {
    return std::make_unique<storage::ExternalSort>(storage::posix_vfs(), fmt::format("{}.{}", options_.output, what), share_, unique);
  }

  template <typename Visit>
  void drain(Sort sort, const Visit& visit) const {
    sort->drain([&](std::span<const SortRecord> records) {
      job_.check_stop();
      for (const SortRecord& record : records) visit(record.high, record.low);
    });
  }

  [[nodiscard]] std::vector<std::size_t> key_columns() const {
    std::vector<std::size_t> columns = {SketchColumns::source, SketchColumns::text_bytes};
    if (!policy_.fields().empty()) columns.push_back(SketchColumns::fields);
    return columns;
  }

  // The row at which `reader` stands; its views point into the reader's block.
  [[nodiscard]] cluster::KeepCandidate candidate(std::uint32_t row, const sketches::RowReader& reader, Neighbours& neighbours) const {
    cluster::KeepCandidate c;
    c.record = row;  // counted over all sketch files; within one file it ascends with the record number
    c.neighbours = neighbours.of(row);
    c.length = reader.value<std::uint32_t>(SketchColumns::text_bytes);
    c.source = set_.files()[reader.file()].metadata.sources.at(reader.value<std::uint32_t>(SketchColumns::source)).path;
    if (policy_.fields().empty()) return c;
    const auto carried = sketches::unpack_fields(reader.text(SketchColumns::fields));
    for (const std::size_t place : places_[reader.file()]) c.fields.push_back(place < carried.size() ? carried[place] : std::string_view());
    return c;
  }

  // Records: (row) -> number of texts that resemble its text. Of equal texts only the first row has edges to other texts.
  [[nodiscard]] Neighbours neighbours() const {
    if (!policy_.uses_neighbours()) return Neighbours(nullptr);
    Sort degrees = sort_by("degrees"), counts = sort_by("neighbours");
    EdgeReader edges(edges_, set_.rows());
    for (Edge edge; edges.next(edge);) {
      add(degrees, pack(edge.a, edge.equal ? 1 : 0), edge.equal ? edge.b : 0);
      if (!edge.equal) add(degrees, pack(edge.b, 0), 0);
    }
    std::uint32_t row = none, degree = 0;
    drain(std::move(degrees), [&](std::uint64_t place, std::uint64_t copy) {
      if (high_of(place) != row) {
        if (row != none) add(counts, row, degree);
        row = high_of(place), degree = 0;
      }
      if (low_of(place) == 0)
        ++degree;
      else
        add(counts, copy, degree);
    });
    if (row != none) add(counts, row, degree);
    return Neighbours(std::move(counts));
  }

  // Records: (row, 1) -> position by the policy's last rule, which only needs the row number.
  Sort rows() const {
    Sort sort = sort_by("rows", true);
    const auto add_row = [&](std::uint32_t row) { add(sort, pack(row, 1), low_of(policy_.key(policy_.rules() - 1, {row, 0, {}, {}}))); };
    EdgeReader edges(edges_, set_.rows());
    std::uint32_t last = none;
    for (Edge edge; edges.next(edge); last = edge.a) {
      if (edge.a != last) add_row(edge.a);
      add_row(edge.b);
    }
    return sort;
  }

  // Records: (row, 1) -> position in keep order, consecutive from 0; and (row, 0) -> first row with the same text, if it is another row.
  Sort positions(Sort rows) const {
    for (std::size_t rule = std::max<std::size_t>(policy_.rules(), 2) - 1; rule-- > 0;) {
      Neighbours counts = policy_.uses_neighbours(rule) ? neighbours() : Neighbours(nullptr);
      Sort keys = sort_by("keys");
      sketches::RowReader reader(set_, key_columns());
      drain(std::move(rows), [&](std::uint64_t row, std::uint64_t position) {
        reader.seek(high_of(row));
        add(keys, policy_.key(rule, candidate(high_of(row), reader, counts)), pack(low_of(position), high_of(row)));
      });
      rows = sort_by("rows");
      std::uint32_t position = 0;
      drain(std::move(keys), [&](std::uint64_t, std::uint64_t row) { add(rows, pack(low_of(row), 1), position++); });
    }
    if (set_.old_files() > 0) rows = old_first(std::move(rows));
    EdgeReader edges(edges_, set_.rows());
    for (Edge edge; edges.next(edge);)
      if (edge.equal) add(rows, pack(edge.b, 0), edge.a);
    return rows;
  }

  // Old records with texts come first, then documents of stores (known by their fingerprints only), then the input.
  [[nodiscard]] std::uint32_t tier(std::uint32_t row) const { return !set_.is_old(row) ? 2 : set_.is_stored(row) ? 1 : 0; }

  // Gives the same records with all old rows before all new ones.
  [[nodiscard]] Sort old_first(Sort rows) const {
    Sort old = sort_by("old"), sort = sort_by("rows");
    drain(std::move(rows),
          [&](std::uint64_t row, std::uint64_t position) { add(old, pack(tier(high_of(row)), low_of(position)), high_of(row)); });
    std::uint32_t position = 0;
    drain(std::move(old), [&](std::uint64_t, std::uint64_t row) { add(sort, pack(low_of(row), 1), position++); });
    return sort;
  }

  // Records: (first row, position) -> row.
  Sort classes(Sort rows) const {
    Sort sort = sort_by("classes");
    std::uint32_t copy = none, first = none;
    drain(std::move(rows), [&](std::uint64_t row, std::uint64_t value) {
      if (low_of(row) == 0)
        copy = high_of(row), first = low_of(value);
      else
        add(sort, pack(high_of(row) == copy ? first : high_of(row), low_of(value)), high_of(row));
    });
    return sort;
  }

  [[noreturn]] void reject(std::uint32_t row) const {
    throw Error(ErrorCode::format,
                fmt::format("{}: row {} equals an earlier one, yet another edge names it; run verify again", options_.edges, row));
  }

  // Records: (row, 0) -> rank of its class, and (later row, 1) -> rank of the other class and similarity. Adds to `members`: (rank, row +
  // 1) -> whether the row is the best of its class.
  Sort ends_of(Sort classes, Sort& members) const {
    Sort ends = sort_by("ends");
    members = sort_by("members");
    EdgeReader edges(edges_, set_.rows());
    Edge edge;
    bool more = edges.next(edge), first_is_there = true;
    std::uint32_t first = none, rank = 0;
    drain(std::move(classes), [&](std::uint64_t place, std::uint64_t row) {
      if (high_of(place) != first) {
        if (!first_is_there) reject(first);
        first = high_of(place), rank = low_of(place), first_is_there = false;
        add(ends, pack(first, 0), rank);
        for (; more && edge.a <= first; more = edges.next(edge)) {
          if (edge.equal) continue;
          if (edge.a < first) reject(edge.a);
          add(ends, pack(edge.b, 1), pack(rank, edge.similarity));
        }
      }
      first_is_there = first_is_there || low_of(row) == first;
      add(members, pack(rank, low_of(row) + 1), low_of(place) == rank ? 1 : 0);
    });
    if (!first_is_there) reject(first);
    for (; more; more = edges.next(edge))
      if (!edge.equal) reject(edge.a);
    return ends;
  }

  // Records: (smaller rank, greater rank) -> similarity.
  Sort ranked(Sort ends) const {
    Sort sort = sort_by("edges");
    std::uint32_t row = none, rank = 0;
    drain(std::move(ends), [&](std::uint64_t place, std::uint64_t value) {
      if (low_of(place) == 0) {
        row = high_of(place), rank = low_of(value);
        return;
      }
      if (high_of(place) != row) reject(high_of(place));
      add(sort, pack(std::min(rank, high_of(value)), std::max(rank, high_of(value))), low_of(value));
    });
    return sort;
  }

  // Adds to `members`: (rank, 0) -> rank of the star that took the class, and similarity.
  void form_stars(Sort edges, const Sort& members) const {
    cluster::Stars stars(std::min(set_.rows(), 2 * edges_.rows()));
    drain(std::move(edges), [&](std::uint64_t ranks, std::uint64_t similarity) {
      if (stars.takes(high_of(ranks), low_of(ranks))) add(members, pack(low_of(ranks), 0), pack(high_of(ranks), low_of(similarity)));
    });
  }

  // Records: (rank of the star, 0 for the kept row, otherwise row + 1) -> row and similarity.
  Sort stars(Sort members) const {
    Sort sort = sort_by("stars");
    std::uint32_t taken = none, star = 0, similarity = 0;
    drain(std::move(members), [&](std::uint64_t place, std::uint64_t value) {
      const std::uint32_t rank = high_of(place);
      if (low_of(place) == 0) {
        taken = rank, star = high_of(value), similarity = low_of(value);
        return;
      }
      const std::uint32_t row = low_of(place) - 1;
      if (rank == taken)
        add(sort, pack(star, row + 1), pack(row, similarity));
      else
        add(sort, pack(rank, value != 0 ? 0 : row + 1), pack(row, equal_texts));
    });
    return sort;
  }

  // Records: (smallest row of the cluster, row) -> kept row and similarity. Rows that are in no cluster are left out.
  Sort first_rows(Sort stars) const {
    Sort sort = sort_by("first-rows");
    std::uint32_t star = none, kept = none, smallest = none;
    drain(std::move(stars), [&](std::uint64_t place, std::uint64_t value) {
      if (high_of(place) != star) {
        star = high_of(place), kept = high_of(value), smallest = none;
        return;
      }
      if (smallest == none) {
        smallest = std::min(kept, high_of(value));
        add(sort, pack(smallest, kept), pack(kept, equal_texts));
      }
      add(sort, pack(smallest, high_of(value)), pack(kept, low_of(value)));
    });
    return sort;
  }

  // Records: (kept row, row) -> cluster and similarity.
  Sort kept(Sort first_rows) {
    Sort sort = sort_by("kept");
    std::uint32_t smallest = none, cluster = none;
    drain(std::move(first_rows), [&](std::uint64_t place, std::uint64_t value) {
      if (high_of(place) != smallest) ++cluster, smallest = high_of(place);
      add(sort, pack(high_of(value), low_of(place)), pack(cluster, low_of(value)));
    });
    metadata_.counts.clusters = std::uint32_t{cluster + 1};
    return sort;
  }

  // Records: (row, n) -> the n-th fact about the row's cluster. Fact 0: kept row and cluster. Fact 1: whether the kept row has a
  // fingerprint, and similarity. Unless this is the kept row, its fingerprint follows and its keys for all rules of the policy but the
  // last.
  Sort facts(Sort kept) const {
    Sort sort = sort_by("facts");
    std::vector<std::size_t> columns = key_columns();
    columns.insert(columns.end(), {SketchColumns::flags, SketchColumns::simhash});
    sketches::RowReader reader(set_, columns);
    Neighbours counts = neighbours();
    std::vector<std::uint64_t> sketch;
    std::uint32_t last = none;
    drain(std::move(kept), [&](std::uint64_t place, std::uint64_t value) {
      const std::uint32_t kept_row = high_of(place), row = low_of(place);
      if (kept_row != last) {
        last = kept_row;
        reader.seek(kept_row);
        sketch_of(kept_row, reader, counts, sketch);
      }
      add(sort, pack(row, 0), pack(kept_row, high_of(value)));
      add(sort, pack(row, 1), pack(has_fingerprint(reader) ? 1 : 0, low_of(value)));
      for (std::uint32_t i = 0; row != kept_row && i < sketch.size(); ++i) add(sort, pack(row, i + 2), sketch[i]);
    });
    return sort;
  }

  static bool has_fingerprint(const sketches::RowReader& reader) {
    return (reader.value<std::uint8_t>(SketchColumns::flags) & sketches::flags::fingerprint) != 0;
  }

  // The fingerprint and the policy's keys of the row at which `reader` stands.
  void sketch_of(std::uint32_t row, const sketches::RowReader& reader, Neighbours& neighbours, std::vector<std::uint64_t>& sketch) const {
    const auto fingerprint = reader.values<std::uint64_t>(SketchColumns::simhash, words_);
    sketch.assign(fingerprint.begin(), fingerprint.end());
    const auto own = candidate(row, reader, neighbours);
    for (std::size_t rule = 0; rule + 1 < policy_.rules(); ++rule) sketch.push_back(policy_.key(rule, own));
  }

  Counts write(Sort facts) {
    const storage::Schema schema = stages::cluster_schema();
    storage::TableWriter writer(storage::posix_vfs(), options_.output, schema);
    storage::Block block(schema);
    std::vector<std::size_t> columns = key_columns();
    columns.insert(columns.end(), {SketchColumns::flags, SketchColumns::simhash});
    sketches::RowReader reader(set_, columns);
    Neighbours counts = neighbours();
    std::vector<std::uint64_t> of_row, own;                      // facts of the row; its own sketch
    std::vector<std::uint64_t> reasons(policy_.rules() + 1, 0);  // by rule; the last counts kept records that are old
    std::uint32_t row = none;
    const auto write_row = [&] {
      if (of_row.size() < 2) return;
      const std::uint32_t kept = high_of(of_row[0]), similarity = low_of(of_row[1]);
      reader.seek(row);
      const bool comparable = has_fingerprint(reader) && high_of(of_row[1]) != 0;
      std::uint32_t distance = 0;
      if (row != kept) {
        sketch_of(row, reader, counts, own);
        for (std::size_t w = 0; w < words_; ++w) distance += static_cast<std::uint32_t>(std::popcount(own[w] ^ of_row.at(w + 2)));
        std::size_t rule = set_.is_old(kept) ? policy_.rules() : 0;
        while (rule + 1 < policy_.rules() && own[words_ + rule] == of_row.at(words_ + rule + 2)) ++rule;
        ++reasons[rule];
      }
      const bool equal = similarity == equal_texts;
      block.put(ClusterColumns::row, row);
      block.put(ClusterColumns::kept, kept);
      block.put(ClusterColumns::cluster, low_of(of_row[0]));
      block.put(ClusterColumns::similarity, equal ? 1.0F : std::bit_cast<float>(similarity));
      block.put(ClusterColumns::distance, comparable ? static_cast<std::uint16_t>(distance) : stages::no_distance);
      block.put(ClusterColumns::kind, static_cast<std::uint8_t>(equal ? PairKind::equal : PairKind::bands));
      if (block.rows() == schema.rows_per_block) writer.append(block), block.clear();
    };
    drain(std::move(facts), [&](std::uint64_t place, std::uint64_t fact) {
      if (high_of(place) != row) {
        write_row();
        row = high_of(place);
        of_row.clear();
      }
      of_row.push_back(fact);
    });
    write_row();
    writer.append(block);
    return finish(writer, reasons);
  }

  Counts finish(storage::TableWriter& writer, const std::vector<std::uint64_t>& reasons) {
    Counts& counts = metadata_.counts;
    counts.removed = 0;
    std::map<std::string, std::uint64_t> by_text;
    for (std::size_t rule = 0; rule < policy_.rules(); ++rule) {
      if (reasons[rule] > 0) by_text[policy_.text(rule)] += reasons[rule];
      counts.removed += reasons[rule];
    }
    counts.removed_for_old = reasons.back();
    counts.removed += reasons.back();
    if (reasons.back() > 0) by_text["against"] += reasons.back();
    counts.kept = counts.records - counts.rejected - counts.removed;
    metadata_.keep = options_.keep;
    metadata_.keep_reasons.assign(by_text.begin(), by_text.end());
    metadata_.made_from = stages::made_from_cluster(options_);
    writer.finish(to_json(metadata_, options_.output));
    job_.finish_progress(writer.rows(), counts.records);
    return counts;
  }

  const ClusterOptions& options_;
  job::Job& job_;
  storage::TableReader edges_;
  stages::StageMetadata metadata_;
  sketches::SketchSet set_;
  cluster::KeepPolicy policy_;
  std::size_t words_;
  std::uint64_t share_;
  std::vector<std::vector<std::size_t>> places_;
};

}  // namespace

namespace stage {

Counts cluster(const ClusterOptions& options) {
  job::Job job(options.job, "cluster");
  stages::refuse_output(options.output, options.edges, "edges", options.job);
  return ClusterJob(options, job).run();
}

}  // namespace stage
}  // namespace leitong
