// The articles' four blocks as keys of RocksDB: which block, its 16 bits, fingerprint, id; a look-up reads four prefixes from end to end.
#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#include <rocksdb/version.h>
#include <rocksdb/write_batch.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "peer.h"

namespace bench_store {
namespace {

constexpr std::size_t prefix_size = 3, key_size = prefix_size + 16;

void require(const rocksdb::Status& status) {
  if (!status.ok()) throw std::runtime_error("RocksDB: " + status.ToString());
}

rocksdb::Slice prefix_of(std::uint64_t value, unsigned block, char* key) {
  const std::uint16_t bits = block_of(value, block);
  key[0] = static_cast<char>(block);
  key[1] = static_cast<char>(bits >> 8U);
  key[2] = static_cast<char>(bits);
  return {key, prefix_size};
}

struct State {
  std::unique_ptr<rocksdb::DB> db{};
  rocksdb::WriteOptions writing{};
  rocksdb::ReadOptions reading{};

  State(const std::string& directory, bool durable, std::uint64_t rows) {
    rocksdb::BlockBasedTableOptions table;
    table.block_cache = rocksdb::NewLRUCache((256U << 20U) + rows * blocks * 2 * key_size);
    table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
    table.whole_key_filtering = false;
    rocksdb::Options options;
    options.create_if_missing = true;
    options.compression = rocksdb::no_compression;  // of random bytes it saves nothing
    options.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(prefix_size));
    options.memtable_prefix_bloom_size_ratio = .1;
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    options.IncreaseParallelism(static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)));
    rocksdb::DB* opened = nullptr;
    require(rocksdb::DB::Open(options, directory + "/rocksdb", &opened));
    db.reset(opened);
    writing.sync = durable;
    reading.prefix_same_as_start = true;
  }

  void add(std::span<const Item> rows) const {
    rocksdb::WriteBatch batch;
    std::array<char, key_size> key{};
    for (const Item row : rows) {
      std::memcpy(key.data() + prefix_size, &row.value, 8);
      std::memcpy(key.data() + prefix_size + 8, &row.id, 8);
      for (unsigned b = 0; b < blocks; ++b) {
        (void)prefix_of(row.value, b, key.data());
        require(batch.Put({key.data(), key.size()}, {}));
      }
    }
    require(db->Write(writing, &batch));
  }

  void find(rocksdb::Iterator& at, std::uint64_t query, Hits& out) const {
    std::array<char, prefix_size> key{};
    for (unsigned b = 0; b < blocks; ++b) {
      for (at.Seek(prefix_of(query, b, key.data())); at.Valid(); at.Next()) {
        Item candidate{};
        std::memcpy(&candidate.value, at.key().data() + prefix_size, 8);
        std::memcpy(&candidate.id, at.key().data() + prefix_size + 8, 8);
        take_candidate(query, b, candidate, out);
      }
      require(at.status());
    }
    out.ends.push_back(out.hits.size());
  }
};

}  // namespace

Peer open_rocksdb(const std::string& directory, bool durable, std::uint64_t rows) {
  const auto state = std::make_shared<State>(directory, durable, rows);
  Peer peer{.version = fmt::format("{}.{}.{}", ROCKSDB_MAJOR, ROCKSDB_MINOR, ROCKSDB_PATCH),
            .licence = "Apache-2.0 or GPL-2.0",
            .setting =
                "keys of block, fingerprint, id; log on, prefix Bloom filters, a block cache larger than the data, no compression; "
                "CompactRange before look-ups; a batch shares one iterator"};
  peer.add = [=](std::span<const Item> batch) { state->add(batch); };
  peer.finish = [=] {
    require(state->db->Flush({}));
    require(state->db->CompactRange({}, nullptr, nullptr));
  };
  peer.find_batch = [=](std::span<const std::uint64_t> queries, Hits& out) {
    const std::unique_ptr<rocksdb::Iterator> at(state->db->NewIterator(state->reading));
    for (const std::uint64_t query : queries) state->find(*at, query, out);
  };
  peer.find = [=](std::uint64_t query, Hits& out) {
    const std::unique_ptr<rocksdb::Iterator> at(state->db->NewIterator(state->reading));
    state->find(*at, query, out);
  };
  peer.process = getpid();
  return peer;
}

}  // namespace bench_store
