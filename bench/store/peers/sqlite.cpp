// The articles' four blocks as indexed columns of SQLite. The indexes hold the fingerprint, too, so that a candidate costs no second
// look-up.
#include <fmt/format.h>
#include <sqlite3.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <stdexcept>

#include "peer.h"

namespace bench_store {
namespace {

struct State {
  sqlite3* db = nullptr;
  sqlite3_stmt* insert = nullptr;
  std::array<sqlite3_stmt*, blocks> select{};

  State(const std::string& directory, bool durable, std::uint64_t rows) {
    require(sqlite3_open((directory + "/rows.sqlite").c_str(), &db));
    run("PRAGMA journal_mode=WAL");
    run(durable ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL");
    run(fmt::format("PRAGMA cache_size=-{}", 65536 + rows * 400 / 1024));
    run("PRAGMA mmap_size=17179869184");
    run("PRAGMA wal_autocheckpoint=16384");  // pages, 64 MB; of the usual 4 MB, each batch of random rows would cause one
    run("CREATE TABLE rows(id INTEGER PRIMARY KEY, value INTEGER, b0 INTEGER, b1 INTEGER, b2 INTEGER, b3 INTEGER)");
    for (unsigned b = 0; b < blocks; ++b) run(fmt::format("CREATE INDEX i{0} ON rows(b{0}, value)", b));
    insert = prepared("INSERT INTO rows VALUES(?,?,?,?,?,?)");
    for (unsigned b = 0; b < blocks; ++b) select[b] = prepared(fmt::format("SELECT id, value FROM rows WHERE b{}=?", b));
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    sqlite3_finalize(insert);
    for (sqlite3_stmt* statement : select) sqlite3_finalize(statement);
    sqlite3_close(db);
  }

  void require(int code) const {
    if (code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW)
      throw std::runtime_error(std::string("SQLite: ") + (db != nullptr ? sqlite3_errmsg(db) : sqlite3_errstr(code)));
  }
  void run(const std::string& sql) const { require(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr)); }
  [[nodiscard]] sqlite3_stmt* prepared(const std::string& sql) const {
    sqlite3_stmt* statement = nullptr;
    require(sqlite3_prepare_v3(db, sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr));
    return statement;
  }

  void add(std::span<const Item> rows) const {
    run("BEGIN");
    for (const Item row : rows) {
      sqlite3_bind_int64(insert, 1, static_cast<sqlite3_int64>(row.id));
      sqlite3_bind_int64(insert, 2, static_cast<sqlite3_int64>(row.value));
      for (unsigned b = 0; b < blocks; ++b) sqlite3_bind_int(insert, static_cast<int>(3 + b), block_of(row.value, b));
      require(sqlite3_step(insert));
      require(sqlite3_reset(insert));
    }
    run("COMMIT");
  }

  void find(std::uint64_t query, Hits& out) const {
    for (unsigned b = 0; b < blocks; ++b) {
      sqlite3_bind_int(select[b], 1, block_of(query, b));
      int code = SQLITE_ROW;
      while ((code = sqlite3_step(select[b])) == SQLITE_ROW)
        take_candidate(query, b,
                       {static_cast<std::uint64_t>(sqlite3_column_int64(select[b], 0)),
                        static_cast<std::uint64_t>(sqlite3_column_int64(select[b], 1))},
                       out);
      require(code);
      require(sqlite3_reset(select[b]));
    }
    out.ends.push_back(out.hits.size());
  }
};

}  // namespace

Peer open_sqlite(const std::string& directory, bool durable, std::uint64_t rows) {
  const auto state = std::make_shared<State>(directory, durable, rows);
  Peer peer{.version = sqlite3_libversion(),
            .licence = "public domain",
            .setting =
                "four covering indexes (block, fingerprint); WAL, synchronous NORMAL or FULL, prepared statements, a transaction a "
                "batch, a cache larger than the data; checkpoint before look-ups; a batch is one transaction of look-ups"};
  peer.add = [=](std::span<const Item> batch) { state->add(batch); };
  peer.finish = [=] {
    state->run("PRAGMA wal_checkpoint(TRUNCATE)");
    state->run("ANALYZE");
  };
  peer.find = [=](std::uint64_t query, Hits& out) { state->find(query, out); };
  peer.find_batch = [=](std::span<const std::uint64_t> queries, Hits& out) {
    state->run("BEGIN");
    for (const std::uint64_t query : queries) state->find(query, out);
    state->run("COMMIT");
  };
  peer.process = getpid();
  return peer;
}

}  // namespace bench_store
