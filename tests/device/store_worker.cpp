// Works on a store on a disk that logs, and says what is wrong with one that a crash left.
//
//     device_store_worker work PLACE SEED NOTES FROM TO   steps FROM to TO-1; NOTES is the disk's file of that name, read first
//     device_store_worker check PLACE SEED NOTES          NOTES: those made up to the crash
//     device_store_worker fill PLACE                      a store whose runs are some MB
//     device_store_worker read PLACE FAULTS               reads it while the disk fails every read
//
// PLACE is a directory, the store is PLACE/s, backups are PLACE/copy-S. work: 0 done; 1 a writer did what it must not do; 2 an error, as it
// should be on a disk that fails; 10 ended without an end (kill -9 would be the same): to be started again behind the step that is printed.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>

#include "device/store_history.h"
#include "leitong/error.h"
#include "storage/vfs.h"
#include "store/store.h"

namespace leitong::device {
namespace {

using store::Store;

std::string read_all(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(path + " cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string store_in(const std::string& place) { return place + "/s"; }
std::string copy_in(const std::string& place, std::uint64_t step) { return place + "/copy-" + std::to_string(step); }
bool is_store(const std::string& directory) { return storage::posix_vfs().exists(directory + "/MANIFEST"); }

class Worker {
 public:
  Worker(std::string place, std::uint64_t seed, const std::string& notes)
      : place_(std::move(place)), path_(store_in(place_)), seed_(seed), history_(seed), notes_(::open(notes.c_str(), O_WRONLY | O_APPEND)) {
    if (notes_ < 0) throw std::runtime_error(notes + " cannot be written");
    history_.read(read_all(notes));
  }

  int work(std::uint64_t from, std::uint64_t to) {
    try {
      if (!settle()) return 1;
      for (step_ = from; step_ < to; ++step_) {
        final_ = true;
        if (!one_step()) {
          std::cout << step_ << std::endl;
          std::_Exit(10);
        }
      }
      end();
      return 0;
    } catch (const Error& error) {
      std::cerr << error.what() << std::endl;
      return went_on() ? 1 : 2;
    }
  }

 private:
  void say(const std::string& note) {
    const std::string line = note + "\n";
    if (::write(notes_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) std::abort();
    history_.note(note);
  }
  void open() { store_ = std::make_unique<Store>(storage::posix_vfs(), path_, Access::write, limits_of(seed_)); }

  void end() {
    const std::unique_ptr<Store> ending = std::move(store_);
    ending->close();
    say("durable");
  }

  // Makes it, or takes what is there for what there is.
  bool settle() {
    if (!history_.created() && !is_store(path_)) {
      Store::create(storage::posix_vfs(), path_, history_.shape(), "{}");
      say("created");
    }
    open();
    const std::optional<std::size_t> found = history_.prefix_of(store_->snapshot());
    if (!found || *found < history_.durable()) {
      std::cerr << "a store that was opened again had lost or made up rows" << std::endl;
      return false;
    }
    say("settled " + std::to_string(*found));
    return true;
  }

  void add(Acknowledge acknowledge) {
    say("begin " + std::to_string(step_));
    const std::vector<Change> changes = history_.changes(step_);
    store_->add(store::rows_of(changes), acknowledge);
    if (acknowledge == Acknowledge::durable) say("durable");
  }

  bool one_step() {
    std::mt19937_64 random = numbers_of(seed_, step_);
    switch (random() % 24) {
      case 0:
        store_->flush();
        say("durable");
        break;
      case 1:
        store_->compact();
        say("durable");
        break;
      case 2:
        end();
        open();
        break;
      case 3:
        store_->sync();
        say("durable");
        break;
      case 4:
        load(random() % 3 == 0);
        break;
      case 5:
        if (random() % 3 == 0) copy();
        break;
      case 6:
        return random() % 2 == 0;
      default:
        add(random() % 3 == 0 ? Acknowledge::buffered : Acknowledge::durable);
    }
    return true;
  }

  void load(bool given_up) {
    const std::vector<Change> changes = history_.changes(step_);
    Store::Load load = store_->load();
    say("durable");  // what was there became runs
    final_ = false;  // it may fail by itself
    load.add(store::rows_of(changes));
    if (given_up) return;
    say("begin " + std::to_string(step_));
    load.commit();
    say("durable");
  }

  void copy() {
    final_ = false;
    say("copying " + std::to_string(step_));
    store_->backup(copy_in(place_, step_));
    say("copied " + std::to_string(step_));
  }

  // An error of writing is final for the writer that had it, while what it had shown can still be read.
  bool went_on() {
    if (!store_ || !final_) return false;
    try {
      (void)history_.state_of(store_->snapshot());
      store_->add(store::rows_of(history_.changes(step_)), Acknowledge::durable);
      std::cerr << "a writer went on after an error" << std::endl;
      return true;
    } catch (const Error& error) {
      if (error.code() == ErrorCode::io) return false;
      std::cerr << "after an error of the disk a writer called it something else: " << error.what() << std::endl;
      return true;
    }
  }

  std::string place_, path_;
  std::uint64_t seed_, step_ = 0;
  History history_;
  int notes_;
  bool final_ = true;  // an error of this step ends the writer
  std::unique_ptr<Store> store_;
};

// In the words of what is wrong; empty: nothing.
std::string verdict_of_copies(const std::string& place, const History& history) {
  for (const auto& [step, copy] : history.copies()) {
    const std::string directory = copy_in(place, step);
    if (!is_store(directory)) {
      if (copy.done) return "a backup that was done is gone";
      continue;
    }
    const Store store(storage::posix_vfs(), directory, Access::read);
    store.check();
    if (history.state_of(store.snapshot()) != copy.state) return "a backup is not what was copied";
  }
  return "";
}

std::string verdict(const std::string& place, std::uint64_t seed, const std::string& notes) {
  History history(seed);
  history.read(read_all(notes));
  storage::Vfs& vfs = storage::posix_vfs();
  const std::string path = store_in(place);
  if (!is_store(path)) {
    if (history.created()) return "the store is gone";
    Store::create(vfs, path, history.shape(), "{}");
  }
  std::optional<std::size_t> found;
  {
    const Store store(vfs, path, Access::read);
    store.check();
    found = history.prefix_of(store.snapshot());
  }
  if (!found) return "it holds what was never there";
  if (*found < history.durable())
    return "it lost acknowledged rows: " + std::to_string(*found) + " of " + std::to_string(history.durable()) + " batches are there";
  {
    Store store(vfs, path, Access::write, limits_of(seed));
    if (store.stats().repaired_runs > 0) return "an index had to be made again";
    if (history.prefix_of(store.snapshot()) != found) return "a writer finds something else than a reader";
    // It is used further on, and what is acknowledged now must be there, too.
    history.note("settled " + std::to_string(*found));
    const std::uint64_t next = history.last().next_sequence;
    constexpr std::uint64_t step_of_none = 1U << 30U;
    if (store.add(store::rows_of(history.changes(step_of_none)), Acknowledge::durable) != next) return "it numbers rows anew";
    history.note("begin " + std::to_string(step_of_none));
    store.compact();
    store.close();
  }
  const Store again(vfs, path, Access::read);
  again.check();
  if (history.state_of(again.snapshot()) != history.last()) return "it lost what was added after the crash";
  return verdict_of_copies(place, history);
}

int check(const std::string& place, std::uint64_t seed, const std::string& notes) {
  std::string wrong;
  try {
    wrong = verdict(place, seed, notes);
  } catch (const Error& error) {
    wrong = std::string("it does not open: ") + error.what();
  }
  if (!wrong.empty()) std::cout << wrong << std::endl;
  return wrong.empty() ? 0 : 1;
}

int fill(const std::string& place) {
  Shape shape;
  shape.texts = true;
  Store::create(storage::posix_vfs(), store_in(place), shape, "{}");
  Store store(storage::posix_vfs(), store_in(place), Access::write);
  std::mt19937_64 random(1);
  for (int batch = 0; batch < 8; ++batch) {
    std::vector<Change> changes;
    for (int i = 0; i < 500; ++i) {
      Change change = store::random_change(shape, random, 1'000'000'000);
      if (change.row) change.row->text.assign(2000, static_cast<char>('a' + random() % 26));
      changes.push_back(std::move(change));
    }
    store.add(store::rows_of(changes), Acknowledge::durable);
  }
  store.compact();
  store.close();
  return 0;
}

// Who reads must get an error that names the file, and go on getting it.
int read(const std::string& place, const std::string& faults) {
  const Store store(storage::posix_vfs(), store_in(place), Access::read);
  const Snapshot snapshot = store.snapshot();
  if (!(std::ofstream(faults, std::ios::in) << "read 1 on" << std::flush)) throw std::runtime_error(faults + " cannot be written");
  bool good = true;
  const auto must_fail = [&](const char* what, const auto& call) {
    try {
      call();
      std::cout << what << " gave an answer from a disk that cannot be read" << std::endl;
      good = false;
    } catch (const Error& error) {
      const std::string_view words = error.what();
      std::cout << what << ": " << words << std::endl;
      good &= words.find(store_in(place)) != words.npos && error.code() == ErrorCode::io;
    }
  };
  for (int again = 0; again < 2; ++again) {
    must_fail("scan", [&] {
      const auto rows = snapshot.scan();
      for (Row row; rows->next(row);) (void)XXH3_64bits(row.text.data(), row.text.size());
    });
    must_fail("find", [&] {
      std::vector<store::Match> matches;
      const std::uint64_t query = 3 * 0x0123456789abcdefU;
      snapshot.find({&query, 1}, 3, true, matches);
    });
    must_fail("check", [&] { store.check(); });
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace leitong::device

int main(int count, char** arguments) {
  using namespace leitong::device;
  const std::vector<std::string> given(arguments + 1, arguments + count);
  const auto is = [&](std::string_view what, std::size_t size) { return given.size() == size + 1 && given.front() == what; };
  try {
    if (is("work", 5)) return Worker(given[1], std::stoull(given[2]), given[3]).work(std::stoull(given[4]), std::stoull(given[5]));
    if (is("check", 3)) return check(given[1], std::stoull(given[2]), given[3]);
    if (is("fill", 1)) return fill(given[1]);
    if (is("read", 2)) return read(given[1], given[2]);
    std::cerr << "usage: device_store_worker work|check|fill|read PLACE ...\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << std::endl;
    return 3;
  }
  return 3;
}
