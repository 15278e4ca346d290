#include "own.h"

namespace bench_store {

Peer open_leitong(const std::string& directory, bool durable, std::uint64_t) {
  struct State {
    explicit State(const std::string& where) : store(leitong::storage::posix_vfs(), where, Access::write), adder(store) {}
    Store store;
    Adder adder;
    std::vector<leitong::store::Match> matches{};
  };
  make_fresh(directory + "/collection");
  const auto state = std::make_shared<State>(directory + "/collection");
  const auto acknowledge = durable ? Acknowledge::durable : Acknowledge::buffered;
  Peer peer{.version = "this one", .licence = "Apache-2.0", .setting = "as shipped; compact() before look-ups"};
  peer.add = [=](std::span<const Item> batch) { state->adder.add(batch, acknowledge); };
  peer.finish = [=] { state->store.compact(); };
  peer.find = [=](std::uint64_t query, Hits& out) { find(state->store, std::span(&query, 1), state->matches, out); };
  peer.find_batch = [=](std::span<const std::uint64_t> queries, Hits& out) { find(state->store, queries, state->matches, out); };
  peer.process = getpid();
  return peer;
}

}  // namespace bench_store
