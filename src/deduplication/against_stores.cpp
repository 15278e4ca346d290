#include "deduplication/against_stores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string_view>
#include <utility>

#include "collection/place.h"
#include "job/id_sort.h"
#include "job/job.h"
#include "leitong/access.h"
#include "leitong/collection.h"
#include "leitong/error.h"
#include "leitong/version.h"
#include "records/json.h"
#include "records/json_object.h"
#include "sketches/sketch_file.h"
#include "stages/pair_reader.h"
#include "stages/stages.h"
#include "stages/unverified_edges.h"
#include "storage/external_sort.h"

namespace leitong::deduplication {
namespace {

constexpr std::size_t inputs_at_once = 4'096;
constexpr std::size_t row_bytes = 4;

std::vector<std::string> names_of(const StoresOptions& options) {
  std::vector<std::string> names;
  for (const std::string& store : options.stores) names.push_back(collection::without_secrets(store));
  return names;
}

std::string made_from_stores(const StoresOptions& options) {
  records::JsonObject object;
  object.text("version", version())
      .text("sketches", stages::open_stage_file(options.sketches, "sketch").identity())
      .texts("stores", names_of(options))
      .text("k", options.k ? std::to_string(*options.k) : "own");
  return stages::key_of(object.str());
}

unsigned k_of(const StoresOptions& options, const Collection& store) { return options.k.value_or(store.options().k); }

void require_profile(const Collection& store, const std::string& name, const Profile& profile) {
  if (const std::string id = profile_id(profile); store.profile_id() != id)
    throw Error(ErrorCode::usage,
                fmt::format("--against {}: is a collection of profile {} (id {}); the run has {} (id {}), and fingerprints of different "
                            "profiles cannot be compared",
                            name, store.options().profile.name, store.profile_id(), profile.name, id));
}

// Texts of web pages that were made in another way do not meet, though their profile is the same.
void require_pages(const Collection& store, const std::string& name, const sketches::SketchMetadata& inputs) {
  const std::string& there = store.options().pages;
  if (inputs.pages == 0 || there.empty()) return;
  const std::string here = inputs.page_model.empty() ? inputs.input.extract : inputs.input.extract + " " + inputs.page_model;
  if (here != there)
    throw Error(
        ErrorCode::usage,
        fmt::format("--against {}: holds texts of web pages by \"{}\" (what --extract took, and its model), the run's are by \"{}\"; "
                    "give --extract as the collection has it",
                    name, there, here));
}

void append_big_endian(std::string& out, std::uint32_t number) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<char>(number >> shift));
}
std::uint32_t big_endian(std::string_view bytes) {
  std::uint32_t number = 0;
  for (const char byte : bytes.substr(0, row_bytes)) number = number << 8U | static_cast<unsigned char>(byte);
  return number;
}

// Encodes an id so that byte strings beginning with it sort by id, whatever follows: a zero byte in the id is followed by 255, and two zero
// bytes end it.
void append_ordered(std::string& out, std::string_view id) {
  for (const char byte : id) {
    out.push_back(byte);
    if (byte == '\0') out.push_back('\xff');
  }
  out.append(2, '\0');
}
std::string ordered_id(std::string_view form) {
  std::string id;
  for (std::size_t i = 0; i + 2 < form.size(); ++i) {
    id.push_back(form[i]);
    if (form[i] == '\0') ++i;
  }
  return id;
}

// Documents of stores that are the nearest ones to some input, with these inputs. Sorted as byte strings: by store, id, fingerprint, input.
class Meetings {
 public:
  Meetings(std::string scratch, std::uint64_t memory, unsigned words) : sort_(std::move(scratch), memory), words_(words) {}

  void add(std::uint32_t store, std::string_view id, const Fingerprint& fingerprint, std::uint32_t input) {
    bytes_.clear();
    append_big_endian(bytes_, store);
    append_ordered(bytes_, id);
    bytes_.append(reinterpret_cast<const char*>(fingerprint.words.data()), fingerprint_bytes());
    append_big_endian(bytes_, input);
    sort_.add(bytes_);
  }

  struct Document {
    std::uint32_t store = 0;
    std::string id;
    Fingerprint fingerprint;
  };
  // Calls document() once for each document, and then input() for each input to which it is nearest.
  void drain(unsigned bits, const std::function<void(const Document&)>& document, const std::function<void(std::uint32_t)>& input) {
    std::string last;
    sort_.drain([&](std::string_view bytes) {
      const std::string_view head = bytes.substr(0, bytes.size() - row_bytes);
      if (head != last) {
        last = head;
        Document found{big_endian(head), ordered_id(head.substr(row_bytes, head.size() - row_bytes - fingerprint_bytes())), {}};
        found.fingerprint.bits = bits;
        std::memcpy(found.fingerprint.words.data(), head.data() + head.size() - fingerprint_bytes(), fingerprint_bytes());
        document(found);
      }
      input(big_endian(bytes.substr(head.size())));
    });
  }

 private:
  [[nodiscard]] std::size_t fingerprint_bytes() const { return words_ * sizeof(std::uint64_t); }
  job::IdSort sort_;
  std::size_t words_;
  std::string bytes_;
};

class AskJob {
 public:
  AskJob(const StoresOptions& options, std::span<const Collection> stores)
      : options_(options),
        stores_(stores),
        job_(options.job, "against"),
        inputs_(stages::open_stage_file(options.sketches, "sketch")),
        meetings_(options.met + ".meetings-", job_.room() / 2, fingerprint_words(options.profile.bits)),
        pairs_(storage::posix_vfs(), options.pairs + ".sort", std::max<std::uint64_t>(job_.room() / 4, 1U << 20U), false) {}

  void run() {
    ask_all();
    const std::string key = made_from_stores(options_);
    write_pairs(key, write_documents(key));
    job_.finish_progress(inputs_.rows(), documents_);
  }

 private:
  void ask_all() {
    const std::size_t words = fingerprint_words(options_.profile.bits);
    storage::Block block(inputs_.schema());
    for (std::size_t b = 0; b < inputs_.blocks(); ++b) {
      const std::vector<std::size_t> columns = {sketches::SketchColumns::flags, sketches::SketchColumns::simhash};
      inputs_.read_block(b, columns, block);
      const auto marks = block.column<std::uint8_t>(sketches::SketchColumns::flags);
      const auto values = block.column<std::uint64_t>(sketches::SketchColumns::simhash);
      for (std::size_t i = 0; i < marks.size(); ++i) {
        if ((marks[i] & sketches::flags::fingerprint) == 0) continue;
        rows_.push_back(static_cast<std::uint32_t>(inputs_.first_row(b) + i));
        Fingerprint& fingerprint = fingerprints_.emplace_back();
        fingerprint.bits = options_.profile.bits;
        std::copy_n(&values[i * words], words, fingerprint.words.begin());
        if (rows_.size() == inputs_at_once) ask();
      }
    }
    ask();
  }

  void ask() {
    if (rows_.empty()) return;
    struct Nearest {
      std::uint32_t store = 0;
      std::optional<CollectionMatch> match;
    };
    std::vector<Nearest> nearest(rows_.size());
    for (std::uint32_t store = 0; store < stores_.size(); ++store) {
      job_.progress(rows_.front(), inputs_.rows(), rows_.front());
      CollectionQuery query;
      query.k = k_of(options_, stores_[store]);
      query.most = 1;
      std::vector<CollectionAnswer> answers = stores_[store].query_all(fingerprints_, query);
      for (std::size_t i = 0; i < answers.size(); ++i) {
        if (answers[i].matches.empty()) continue;
        CollectionMatch& match = answers[i].matches.front();
        if (!nearest[i].match || *match.distance < *nearest[i].match->distance) nearest[i] = {store, std::move(match)};
      }
    }
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (const auto& match = nearest[i].match) meetings_.add(nearest[i].store, match->id, match->fingerprint.value(), rows_[i]);
    rows_.clear(), fingerprints_.clear();
  }

  // Returns the file's identity.
  std::string write_documents(const std::string& key) {
    constexpr std::size_t rows_at_once = 1'024;
    const storage::Schema schema = sketches::sketch_schema(options_.profile.bits);
    storage::TableWriter writer(storage::posix_vfs(), options_.met, schema);
    storage::Block block(schema);
    meetings_.drain(
        options_.profile.bits,
        [&](const Meetings::Document& document) {
          put(document, block);
          if (block.rows() < rows_at_once) return;
          job_.check_stop();
          writer.append(block);
          block.clear();
        },
        [&](std::uint32_t input) {
          const storage::SortRecord pair{documents_ - 1, input};
          pairs_.add({&pair, 1});
        });
    writer.append(block);
    return writer.finish(to_json(metadata_of_documents(key)));
  }

  // Written last, because it contains the identity of the file with the documents.
  void write_pairs(const std::string& key, const std::string& documents) {
    const storage::Schema schema = stages::pair_schema("pairs");
    storage::TableWriter writer(storage::posix_vfs(), options_.pairs, schema);
    storage::Block block(schema);
    pairs_.drain([&](std::span<const storage::SortRecord> records) {
      job_.check_stop();
      block.clear();
      for (const storage::SortRecord& pair : records) {
        block.put(stages::PairColumns::a, static_cast<std::uint32_t>(pair.high));
        block.put(stages::PairColumns::b, static_cast<std::uint32_t>(documents_ + pair.low));
        block.put(stages::PairColumns::kind, static_cast<std::uint8_t>(stages::PairKind::hamming));
        block.put(stages::PairColumns::value, 0.0F);
      }
      writer.append(block);
    });
    writer.finish(to_json(metadata_of_pairs(key, documents), options_.pairs));
  }

  void put(const Meetings::Document& document, storage::Block& block) {
    fingerprint::Sketch sketch;
    sketch.has_fingerprint = true;
    sketch.fingerprint = document.fingerprint;
    sketches::put_sketch(sketch, block);
    block.put(sketches::SketchColumns::record, documents_++);
    block.put(sketches::SketchColumns::source, document.store);
    for (const std::size_t column : {sketches::SketchColumns::offset, sketches::SketchColumns::length, sketches::SketchColumns::line})
      block.put(column, std::uint64_t{0});
    block.put(sketches::SketchColumns::text_bytes, std::uint32_t{0});
    std::string id;
    records::append_json_string(id, document.id);
    block.put_text(sketches::SketchColumns::id, id);
    block.put_text(sketches::SketchColumns::fields, "");
    for (unsigned band = 0; band < sketches::band_columns; ++band) block.put(sketches::SketchColumns::first_band + band, std::uint32_t{0});
  }

  [[nodiscard]] sketches::SketchMetadata metadata_of_documents(const std::string& key) const {
    sketches::SketchMetadata metadata;
    metadata.profile = options_.profile;
    metadata.profile_id = profile_id(options_.profile);
    metadata.input.format = "jsonl";
    metadata.input.paths = names_of(options_);
    metadata.records = documents_;
    metadata.fingerprints_only = true;
    metadata.made_from = key;
    for (const std::string& name : metadata.input.paths) metadata.sources.push_back({.path = name});
    return metadata;
  }

  [[nodiscard]] stages::StageMetadata metadata_of_pairs(const std::string& key, const std::string& identity) const {
    stages::StageMetadata metadata;
    metadata.sketches = {options_.met, options_.sketches};
    metadata.old_sketches = 1;
    metadata.identities = {identity, inputs_.identity()};
    metadata.made_from = key;
    const std::vector<std::string> names = names_of(options_);
    for (std::size_t i = 0; i < names.size(); ++i)
      metadata.method += fmt::format("; the nearest document of {} within {} bits", names[i], k_of(options_, stores_[i]));
    return metadata;
  }

  const StoresOptions& options_;
  std::span<const Collection> stores_;
  job::Job job_;
  storage::TableReader inputs_;
  Meetings meetings_;
  storage::ExternalSort pairs_;            // (document, input)
  std::vector<std::uint32_t> rows_;        // rows of the inputs in the next request
  std::vector<Fingerprint> fingerprints_;  // their fingerprints
  std::uint64_t documents_ = 0;            // number of documents written
};

class StoredEdges {
 public:
  explicit StoredEdges(const StoredEdgesOptions& options)
      : options_(options),
        job_(options.job, "against"),
        verified_(stages::open_stage_file(options.verified, "edges")),
        pairs_(stages::open_stage_file(options.pairs, "pairs")),
        metadata_(stages::stage_metadata_from_json(verified_.metadata(), options.verified)),
        of_pairs_(stages::stage_metadata_from_json(pairs_.metadata(), options.pairs)),
        set_(metadata_.sketches, metadata_.old_sketches),
        by_input_(storage::posix_vfs(), options.output + ".inputs", share(), false),
        by_document_(storage::posix_vfs(), options.output + ".documents", share(), true) {}

  void run() {
    collect();
    take_first_of_equals();
    storage::TableWriter writer(storage::posix_vfs(), options_.output, stages::pair_schema("edges"));
    const std::uint64_t added = stages::merge_edges(verified_, [this](stages::PairRow& row) { return next(row); }, writer);
    metadata_.counts.candidates += added;
    metadata_.counts.edges += added;
    metadata_.method += of_pairs_.method;
    metadata_.made_from = made_from_stored_edges(options_);
    writer.finish(to_json(metadata_, options_.output));
  }

 private:
  [[nodiscard]] std::uint64_t share() const { return std::max<std::uint64_t>(job_.room() / 4, 1U << 20U); }

  [[nodiscard]] const sketches::SketchSet::File& file_of(const std::string& identity) const {
    for (const sketches::SketchSet::File& file : set_.files())
      if (file.table->identity() == identity) return file;
    throw Error(ErrorCode::format,
                fmt::format("{} was not made from the sketch files of {}: run dedup again", options_.pairs, options_.verified));
  }

  // Sort records: (input, 0) -> the first text equal to it, if that is another row; (input, 1) -> document.
  void collect() {
    const auto add = [&](std::uint64_t input, unsigned what, std::uint64_t row) {
      const storage::SortRecord record{input << 1U | what, row};
      by_input_.add({&record, 1});
    };
    const std::function<void()> stop = [this] { job_.check_stop(); };
    stages::for_each_pair(verified_, set_.rows(), stop, [&](const stages::PairRow& edge) {
      if (edge.kind == stages::PairKind::equal) add(edge.b, 0, edge.a);
    });
    const sketches::SketchSet::File &met = file_of(of_pairs_.identities.at(0)), &inputs = file_of(of_pairs_.identities.at(1));
    const std::uint64_t documents = met.table->rows();
    stages::for_each_pair(pairs_, documents + inputs.table->rows(), stop,
                          [&](const stages::PairRow& pair) { add(inputs.first_row + (pair.b - documents), 1, met.first_row + pair.a); });
  }

  void take_first_of_equals() {
    std::uint64_t copy = ~std::uint64_t{0}, first = 0;
    by_input_.drain([&](std::span<const storage::SortRecord> records) {
      job_.check_stop();
      for (const storage::SortRecord& record : records) {
        const std::uint64_t input = record.high >> 1U;
        if ((record.high & 1U) == 0) {
          copy = input, first = record.low;
          continue;
        }
        const std::uint64_t standing = input == copy ? first : input;
        if (set_.is_old(standing)) continue;  // equal to an old text, so it is removed because of that one
        const storage::SortRecord edge{record.low << 32U | standing, 0};
        by_document_.add({&edge, 1});
      }
    });
  }

  [[nodiscard]] bool next(stages::PairRow& row) {
    if (left_.empty()) left_ = by_document_.next();
    if (left_.empty()) return false;
    row = {static_cast<std::uint32_t>(left_.front().high >> 32U), static_cast<std::uint32_t>(left_.front().high), stages::PairKind::hamming,
           0};
    left_ = left_.subspan(1);
    return true;
  }

  const StoredEdgesOptions& options_;
  job::Job job_;
  storage::TableReader verified_, pairs_;
  stages::StageMetadata metadata_, of_pairs_;
  sketches::SketchSet set_;
  storage::ExternalSort by_input_, by_document_;
  std::span<const storage::SortRecord> left_;
};

}  // namespace

std::vector<Collection> open_stores(const StoresOptions& options) {
  CollectionOpen open;
  open.only_stored = true;
  open.threads = options.job.threads, open.memory = options.job.memory;
  std::vector<Collection> stores;
  for (const std::string& store : options.stores) {
    const Collection& opened = stores.emplace_back(store, Access::read, open);
    require_profile(opened, collection::without_secrets(store), options.profile);
    CollectionQuery query;
    query.k = k_of(options, opened);
    (void)opened.query_all(std::span<const Fingerprint>(), query);  // refuses a k that the store cannot answer now, not after hours of work
  }
  return stores;
}

bool stores_were_asked(const StoresOptions& options) {
  auto& vfs = storage::posix_vfs();
  if (!vfs.exists(options.sketches) || !vfs.exists(options.met) || !vfs.exists(options.pairs)) return false;
  try {
    const std::string key = made_from_stores(options);
    const storage::TableReader met = stages::open_stage_file(options.met, "sketch"),
                               pairs = stages::open_stage_file(options.pairs, "pairs");
    met.check(), pairs.check();
    const stages::StageMetadata of_pairs = stages::stage_metadata_from_json(pairs.metadata(), options.pairs);
    return sketches::sketch_metadata_from_json(met.metadata(), options.met).made_from == key && of_pairs.made_from == key &&
           of_pairs.identities.at(0) == met.identity();
  } catch (const std::exception&) {
    return false;
  }
}

bool other_stores_were_asked(const StoresOptions& options) {
  if (options.stores.empty() != !storage::posix_vfs().exists(options.met)) return true;
  if (options.stores.empty()) return false;
  try {
    const storage::TableReader met = stages::open_stage_file(options.met, "sketch");
    return sketches::sketch_metadata_from_json(met.metadata(), options.met).made_from != made_from_stores(options);
  } catch (const Error&) {
    return false;
  }
}

void ask_stores(const StoresOptions& options, std::span<const Collection> stores) {
  const storage::TableReader table = stages::open_stage_file(options.sketches, "sketch");
  const sketches::SketchMetadata inputs = sketches::sketch_metadata_from_json(table.metadata(), options.sketches);
  for (std::size_t i = 0; i < stores.size(); ++i) require_pages(stores[i], options.stores[i], inputs);
  AskJob(options, stores).run();
}

void add_stored_edges(const StoredEdgesOptions& options) { StoredEdges(options).run(); }

std::string made_from_stored_edges(const StoredEdgesOptions& options) {
  records::JsonObject object;
  object.text("version", version())
      .text("verified", stages::open_stage_file(options.verified, "edges").identity())
      .text("pairs", stages::open_stage_file(options.pairs, "pairs").identity());
  return stages::key_of(object.str());
}

}  // namespace leitong::deduplication
