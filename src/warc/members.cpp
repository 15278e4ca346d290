#include "warc/members.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "leitong/error.h"

namespace leitong::warc {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t block = std::size_t{1} << 20;          // read and unpacked at once
constexpr std::size_t ahead = std::size_t{256} << 10;        // a member of so many packed bytes is in memory as a whole
constexpr std::size_t most_whole = std::size_t{8} << 20;     // unpacked bytes of a member that is unpacked at once
constexpr std::size_t most_retained = std::size_t{1} << 20;  // packed bytes of a member that is not known to be sound yet
constexpr std::uint64_t free_expansion = 64ULL << 20;
constexpr std::size_t probe_in = std::size_t{64} << 10, probe_out = 4096;  // what a member behind damage must give

struct Magic {
  std::string_view bytes;
  Packing packing;
  Coding coding;
  std::string_view name;
};
constexpr std::array<Magic, 3> magics{{{"\x1f\x8b\x08"sv, Packing::gzip, Coding::gzip, "gzip"},
                                       {"\x28\xb5\x2f\xfd"sv, Packing::zstd, Coding::zstd, "zstd"},
                                       {"\x04\x22\x4d\x18"sv, Packing::lz4, Coding::lz4, "LZ4"}}};

const Magic& magic_of(Packing packing) { return *std::ranges::find(magics, packing, &Magic::packing); }

// Of Zstandard and LZ4; its length follows in four bytes.
bool is_skippable(std::string_view head) {
  return head.size() >= 4 && (static_cast<unsigned char>(head[0]) & 0xF0) == 0x50 && head.substr(1, 3) == "\x2a\x4d\x18"sv;
}

std::size_t skippable_size(std::string_view head) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < 4; ++i) size |= std::size_t{static_cast<unsigned char>(head[4 + i])} << (8 * i);
  return 8 + size;
}

}  // namespace

Packing packing_of(std::string_view head) {
  for (const Magic& magic : magics)
    if (head.starts_with(magic.bytes)) return magic.packing;
  return is_skippable(head) ? Packing::zstd : Packing::none;
}

std::optional<std::size_t> dictionary_frame(std::string_view head) {
  if (head.size() < 8 || !head.starts_with("\x5d\x2a\x4d\x18"sv)) return std::nullopt;
  return skippable_size(head);
}

std::string dictionary_of(std::string_view head) {
  const auto size = dictionary_frame(head);
  if (!size || *size > head.size()) return {};
  const std::string_view content = head.substr(8, *size - 8);
  if (packing_of(content) != Packing::zstd) return std::string(content);
  std::string dictionary;
  if (!unpack_all(content, Coding::zstd, most_dictionary, dictionary).whole)
    throw Error(ErrorCode::format, "the dictionary in its first frame is broken or too large");
  return dictionary;
}

Members::Members(ReadBytes read, std::uint64_t offset, std::uint64_t max_expansion, std::string dictionary)
    : read_(std::move(read)),
      offset_(offset),
      max_expansion_(std::max<std::uint64_t>(max_expansion, 1)),
      dictionary_(std::move(dictionary)),
      guess_(block) {}

// At least so many packed bytes are pending, or all that are left; false: there are none.
bool Members::fill(std::size_t size) {
  while (!ended_ && packed_.size() < used_ + size) {
    const std::size_t want = std::max(used_ + size - packed_.size(), block);
    const std::size_t got = read_(packed_.room(want), want);
    packed_.add(got);
    ended_ = got < want;
  }
  return packed_.size() > used_;
}

// Of what is pending.
void Members::take(std::size_t size) {
  used_ += size;
  if (inside_ && used_ <= most_retained) return;
  packed_.drop(used_);
  offset_ += used_;
  used_ = 0;
}

void Members::begin_file() {
  begun_ = true;
  fill(8);
  packing_ = packing_of(packed_.view());
  const auto frame = dictionary_frame(packed_.view());
  if (!frame || offset_ != 0 || *frame > most_dictionary) return;
  fill(*frame);
  try {
    dictionary_ = dictionary_of(packed_.view());
  } catch (const Error&) {
    dictionary_.clear();  // every frame that needs it will say so
  }
}

Members::Step Members::next(ByteBuffer& out) {
  Step step;
  if (!begun_) begin_file();
  if (packing_ == Packing::none) {
    plain(out, step);
  } else if (inside_ || begin_member(step)) {
    if (packing_ != Packing::gzip || inflater_in_use_ || !whole(out, step)) stream(out, step);
  }
  return step;
}

void Members::plain(ByteBuffer& out, Step& step) {
  step.last = !fill(1);
  step.made = packed_.size();
  std::ranges::copy(packed_.view(), out.room(step.made));
  out.add(step.made);
  take(step.made);
}

// Goes to the next member. False: there is none, or other bytes stand there.
bool Members::begin_member(Step& step) {
  while (fill(8)) {
    const std::string_view head = pending();
    if (head.front() == '\0') {  // as tapes and block devices leave behind
      take(std::min(head.find_first_not_of('\0'), head.size()));
    } else if (is_skippable(head) && head.size() >= 8) {
      for (std::size_t left = skippable_size(head); left > 0 && fill(1);) {
        const std::size_t part = std::min(left, pending().size());
        take(part);
        left -= part;
      }
    } else if (head.starts_with(magic_of(packing_).bytes)) {
      member_begin_ = offset_;
      step.begin = offset_;
      made_ = 0;
      inside_ = true;
      inflater_in_use_ = false;
      return true;
    } else {
      fail(step, "other bytes stand between its packed parts");
      return false;
    }
  }
  step.last = true;
  return false;
}

// All of a gzip member at once, if it is small enough and sound; false: nothing was done.
bool Members::whole(ByteBuffer& out, Step& step) {
  fill(ahead);
  while (true) {
    std::size_t taken = 0, made = 0;
    const std::size_t room = std::max(guess_, out.free());
    const WholeGzip::Result result = whole_gzip_(pending(), out.room(room), room, taken, made);
    if (result == WholeGzip::Result::done) {
      if (made > free_expansion && made / max_expansion_ > taken) return false;
      out.add(made);
      take(taken);
      step.made = made;
      end_member(step);
      return true;
    }
    if (result == WholeGzip::Result::other || room >= most_whole) return false;
    guess_ = std::min(2 * room, most_whole);
  }
}

void Members::stream(ByteBuffer& out, Step& step) {
  const Magic& magic = magic_of(packing_);
  if (!inflater_in_use_) {
    if (!inflater_) inflater_ = make_inflater(magic.coding, dictionary_);
    inflater_->reset();
    inflater_in_use_ = true;
  }
  fill(1);
  const bool starved = pending().empty();
  const Inflater::Step done = inflater_->step(pending(), out.room(block), block);
  out.add(done.made);
  take(done.taken);
  made_ += done.made;
  step.made = done.made;
  if (done.state == Inflater::State::done) {
    end_member(step);
  } else if (done.state == Inflater::State::broken) {
    fail(step, fmt::format("broken {} data: {}", magic.name, inflater_->fault()));
  } else if (made_ > free_expansion && made_ / max_expansion_ > packed() - member_begin_) {
    fail(step, fmt::format("unpacks to more than {} times its size (limit --max-expansion {})", max_expansion_, max_expansion_));
  } else if (starved && done.made == 0) {
    fail(step, fmt::format("{} data ends too early (file cut off?)", magic.name));
  }
}

void Members::end_member(Step& step) {
  inside_ = false;
  take(0);
  step.end = offset_;
}

// What a broken member took may have been the next one's: the search begins behind its own first byte, unless it was too large to stay.
void Members::fail(Step& step, std::string fault) {
  step.fault = std::move(fault);
  step.fault_at = packed();
  if (inside_ && offset_ == member_begin_) used_ = 1;
  inside_ = false;
  take(0);
  find_member();
  step.last = !fill(1);
}

// Whether the bytes there begin a member and not by chance: they can be unpacked, to something.
bool Members::begins_member(std::size_t at) const {
  const std::string_view here = pending().substr(at, probe_in);
  if (packing_ == Packing::gzip && (here.size() < 18 || (static_cast<unsigned char>(here[3]) & 0xE0) != 0)) return false;
  const std::unique_ptr<Inflater> inflater = make_inflater(magic_of(packing_).coding, dictionary_);
  std::array<char, probe_out> out;
  return inflater->step(here, out.data(), out.size()).state != Inflater::State::broken;
}

// Drops what stands before the next member.
void Members::find_member() {
  const std::string_view magic = magic_of(packing_).bytes;
  while (fill(2 * probe_in)) {
    const std::string_view here = pending();
    std::size_t at = here.find(magic);
    if (at != std::string_view::npos && at + probe_in > here.size() && !ended_) {
      take(at);
      continue;
    }
    if (at != std::string_view::npos && begins_member(at)) return take(at);
    // The last bytes may be the beginning of one.
    take(at != std::string_view::npos ? at + 1 : ended_ ? here.size() : here.size() - (magic.size() - 1));
  }
}

}  // namespace leitong::warc
