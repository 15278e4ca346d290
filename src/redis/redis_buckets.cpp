#include "redis/redis_buckets.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "leitong/error.h"
#include "net/printable.h"

namespace leitong::redis {
namespace {

// Scripts use a single key, so that they also run in a cluster.
constexpr std::string_view runs_with_full_memory = "#!lua flags=allow-oom\n";
constexpr std::string_view ensure_in_list =
    "if not redis.call('LPOS',KEYS[1],ARGV[1]) then return redis.call('RPUSH',KEYS[1],ARGV[1]) end return 0";
constexpr std::string_view add_to_string =
    "if redis.call('STRLEN',KEYS[1])==0 then return redis.call('APPEND',KEYS[1],ARGV[1]) end "
    "return redis.call('APPEND',KEYS[1],ARGV[2]..ARGV[1])";
constexpr std::string_view ensure_in_string =
    "local s,v=ARGV[2],redis.call('GET',KEYS[1]) or '' "
    "if v=='' then return redis.call('APPEND',KEYS[1],ARGV[1]) end "
    "if string.find(s..v..s,s..ARGV[1]..s,1,true) then return 0 end "
    "return redis.call('APPEND',KEYS[1],s..ARGV[1])";
constexpr std::string_view remove_from_string =
    "local s,v=ARGV[2],redis.call('GET',KEYS[1]) or '' local all=s..v..s "
    "local b,e=string.find(all,s..ARGV[1]..s,1,true) if not b then return 0 end "
    "all=string.sub(all,1,b-1)..string.sub(all,e-#s+1) "
    "if #all<=#s then return redis.call('DEL',KEYS[1]) end "
    "redis.call('SET',KEYS[1],string.sub(all,#s+1,-#s-1)) return 1";
// ARGV: the record, the number of bytes of its fingerprint, 1 if ids are numbers. The record's bytes may also occur inside other records,
// so the script only accepts them where a record begins.
constexpr std::string_view find_record =
    "local v,r,n,num=redis.call('GET',KEYS[1]) or '',ARGV[1],tonumber(ARGV[2]),ARGV[3]=='1' local at,e=1,1 "
    "local function seek() while string.find(v,r,at,true) do e=at+n local x,m=0,1 "
    "repeat local b=string.byte(v,e) if not b then return false end e=e+1 x=x+b%128*m m=m*128 until b<128 "
    "if not num then e=e+x end if e-at==#r and string.sub(v,at,e-1)==r then return true end at=e end return false end ";
constexpr std::string_view ensure_record = "if seek() then return 0 end return redis.call('APPEND',KEYS[1],r)";
constexpr std::string_view remove_record =
    "if not seek() then return 0 end if #r==#v then return redis.call('DEL',KEYS[1]) end "
    "redis.call('SET',KEYS[1],string.sub(v,1,at-1)..string.sub(v,e)) return 1";
constexpr std::string_view trim_value = "local v=redis.call('GET',KEYS[1]) if v then redis.call('SET',KEYS[1],v) end return 0";

void evaluate(std::string_view script, std::string_view key, std::initializer_list<std::string_view> more, Repeat repeat, Commands& batch) {
  std::vector<std::string_view> words = {"EVAL", script, "1", key};
  words.insert(words.end(), more);
  batch.add(words, repeat, 3);
}

bool same(const BucketEntry& a, const BucketEntry& b) { return a.key == b.key && a.member == b.member && a.row == b.row; }

}  // namespace

RedisBuckets::RedisBuckets(const RedisLayout& layout, std::string prefix, bool number_ids)
    : layout_(layout), prefix_(std::move(prefix)), bare_id_(layout.member.text() == "{id}") {
  if (layout_.container != Container::packed) return;
  for (unsigned block = 0; block < blocks(); ++block) records_.emplace_back(layout_.form, block, number_ids);
}

std::string RedisBuckets::key_of(std::uint64_t fingerprint, unsigned block) const {
  std::string written, key = prefix_;
  remote::append_block(layout_.form, fingerprint, block, written);
  layout_.key.append({.position = position_of(block), .block = written, .id = {}, .fingerprint = {}}, key);
  return key;
}

std::string RedisBuckets::position_of(unsigned block) const {
  const unsigned number = block + layout_.form.first;
  return layout_.form.digits == remote::Digits::bytes ? std::string(1, static_cast<char>(number)) : std::to_string(number);
}

std::optional<BucketPlace> RedisBuckets::place_of(std::string_view key) const {
  // Builds the key around a mark for each block, to know what precedes and follows the block.
  constexpr std::string_view mark = "\x01\x02\x03";
  for (unsigned block = 0; block < blocks(); ++block) {
    std::string around = prefix_;
    layout_.key.append({.position = position_of(block), .block = mark, .id = {}, .fingerprint = {}}, around);
    const std::size_t at = around.find(mark, prefix_.size());
    const std::string_view before = std::string_view(around).substr(0, at), after = std::string_view(around).substr(at + mark.size());
    if (key.size() < before.size() + after.size() || !key.starts_with(before) || !key.ends_with(after)) continue;
    const auto bits = remote::read_block(layout_.form, block, key.substr(before.size(), key.size() - before.size() - after.size()));
    if (bits) return BucketPlace{block, *bits};
  }
  return std::nullopt;
}

const char* RedisBuckets::type() const {
  return layout_.container == Container::set ? "set" : layout_.container == Container::list ? "list" : "string";
}

std::string RedisBuckets::member_of(const remote::FingerprintRow& row, unsigned block, std::string_view written) const {
  std::string member;
  if (layout_.container == Container::packed) {
    records_[block].append(row.id, row.fingerprint, member);
    return member;
  }
  layout_.member.append({.position = {}, .block = {}, .id = row.id, .fingerprint = written}, member);
  if (layout_.container == Container::string && (member.empty() || member.find(layout_.separator) != std::string::npos)) {
    throw Error(ErrorCode::usage,
                fmt::format("id \"{}\": this layout parts its members by \"{}\"", net::printable(row.id, 80), layout_.separator));
  }
  if (layout_.id_is_fingerprint() && row.id != written) {
    throw Error(ErrorCode::usage, fmt::format("id \"{}\": this layout keeps fingerprints only, so that an id is the fingerprint as written",
                                              net::printable(row.id, 80)));
  }
  return member;
}

void RedisBuckets::append_entries(const remote::FingerprintRow& row, std::uint32_t number, std::vector<BucketEntry>& out) const {
  const std::string written = layout_.container != Container::packed && layout_.member.has_fingerprint()
                                  ? write_as(Fingerprint{{row.fingerprint, 0, 0, 0}, 64}, layout_.fingerprint)
                                  : "";
  const std::size_t begin = out.size();
  for (unsigned block = 0; block < blocks(); ++block) {
    BucketEntry entry{key_of(row.fingerprint, block), member_of(row, block, written), number, block};
    const auto first = out.begin() + static_cast<std::ptrdiff_t>(begin);
    if (std::none_of(first, out.end(), [&](const BucketEntry& other) { return same(entry, other); })) out.push_back(std::move(entry));
  }
}

void RedisBuckets::read(std::string_view key, Commands& batch) const {
  switch (layout_.container) {
    case Container::set:
      return batch.add({"SMEMBERS", key}, Repeat::harmless);
    case Container::list:
      return batch.add({"LRANGE", key, "0", "-1"}, Repeat::harmless);
    case Container::string:
    case Container::packed:
      return batch.add({"GET", key}, Repeat::harmless);
  }
}

void RedisBuckets::ask_size(std::string_view key, Commands& batch) const {
  batch.add({is_string() ? "STRLEN" : layout_.container == Container::set ? "SCARD" : "LLEN", key}, Repeat::harmless);
}

void RedisBuckets::add(std::span<const BucketEntry> same_key, Commands& batch) const {
  const std::string& key = same_key.front().key;
  std::vector<std::string_view> words = {layout_.container == Container::set ? "SADD" : "RPUSH", key};
  std::string joined;
  for (const BucketEntry& entry : same_key) {
    if (layout_.container == Container::string && !joined.empty()) joined += layout_.separator;
    joined += entry.member;
    words.push_back(entry.member);
  }
  switch (layout_.container) {
    case Container::set:
    case Container::list:
      return batch.add(words, Repeat::harmless);
    case Container::string:
      return evaluate(add_to_string, key, {joined, layout_.separator}, Repeat::harmless, batch);
    case Container::packed:
      return batch.add({"APPEND", key, joined}, Repeat::harmless);
  }
}

void RedisBuckets::ensure(const BucketEntry& entry, Commands& batch) const {
  switch (layout_.container) {
    case Container::set:
      return batch.add({"SADD", entry.key, entry.member}, Repeat::harmless);
    case Container::list:
      return evaluate(ensure_in_list, entry.key, {entry.member}, Repeat::harmless, batch);
    case Container::string:
      return evaluate(ensure_in_string, entry.key, {entry.member, layout_.separator}, Repeat::harmless, batch);
    case Container::packed: {
      const RecordForm& form = records_[entry.block];
      return evaluate(std::string(find_record).append(ensure_record), entry.key,
                      {entry.member, std::to_string(form.rest_bytes()), form.number_ids() ? "1" : "0"}, Repeat::harmless, batch);
    }
  }
}

void RedisBuckets::remove(const BucketEntry& entry, bool flagged, Commands& batch) const {
  std::string script(flagged ? runs_with_full_memory : "");
  switch (layout_.container) {
    case Container::set:
      return batch.add({"SREM", entry.key, entry.member}, Repeat::never);
    case Container::list:
      return batch.add({"LREM", entry.key, "1", entry.member}, Repeat::never);
    case Container::string:
      return evaluate(script.append(remove_from_string), entry.key, {entry.member, layout_.separator}, Repeat::never, batch);
    case Container::packed: {
      const RecordForm& form = records_[entry.block];
      return evaluate(script.append(find_record).append(remove_record), entry.key,
                      {entry.member, std::to_string(form.rest_bytes()), form.number_ids() ? "1" : "0"}, Repeat::never, batch);
    }
  }
}

void RedisBuckets::trim(std::string_view key, Commands& batch) const { evaluate(trim_value, key, {}, Repeat::harmless, batch); }

template <class Each>
void RedisBuckets::each_member(const Reply& value, Each&& each) const {
  if (value.is_nil()) return;
  if (layout_.container != Container::string) {
    for (const Reply& member : value) each(member.text());
    return;
  }
  std::string_view rest = value.text();
  for (;;) {
    const std::size_t end = rest.find(layout_.separator);
    if (end != 0 && !rest.empty()) each(rest.substr(0, end));  // values of other writers may begin or end with a separator
    if (end == std::string_view::npos) return;
    rest.remove_prefix(end + layout_.separator.size());
  }
}

BucketMember RedisBuckets::read_member(std::string_view member) const {
  if (bare_id_) return {member, member, std::nullopt};
  const auto fields = layout_.member.match(member);
  BucketMember read{member, fields ? fields->id : std::string_view(), std::nullopt};
  if (fields && layout_.member.has_fingerprint()) {
    const auto fingerprint = read_written(fields->fingerprint, layout_.fingerprint, 64);
    if (fingerprint) read.fingerprint = fingerprint->words[0];
  }
  if (!fields || (layout_.member.has_fingerprint() && !read.fingerprint)) {
    throw Error(ErrorCode::format, fmt::format("Redis: a member \"{}\" is not of the form \"{}\": is it another layout?",
                                               net::printable(member, 80), layout_.member.text()));
  }
  if (layout_.id_is_fingerprint()) read.id = member;
  return read;
}

std::size_t RedisBuckets::matches(const Reply& value, unsigned block, std::uint64_t query, unsigned k,
                                  std::vector<remote::FoundRow>& out) const {
  if (value.is_nil()) return 0;
  if (layout_.container == Container::packed) {
    const RecordForm& form = records_[block];
    const std::uint64_t rest = form.rest_of(query);
    std::string buffer;
    for (RecordReader reader(form, value.text()); reader.next();) {
      const auto distance = static_cast<unsigned>(std::popcount(reader.rest() ^ rest));
      if (distance > k) continue;
      const std::uint64_t fingerprint = form.whole(reader.rest(), remote::block_of(layout_.form, query, block));
      out.push_back({std::string(id_text(form, reader.record().id, buffer)), fingerprint, distance});
    }
    return value.text().size();
  }
  std::size_t bytes = 0;
  each_member(value, [&](std::string_view member) {
    bytes += member.size() + sizeof(ReplyNode);
    const BucketMember read = read_member(member);
    const auto distance = static_cast<unsigned>(std::popcount(*read.fingerprint ^ query));
    if (distance <= k) out.push_back({std::string(read.id), *read.fingerprint, distance});
  });
  return bytes;
}

void RedisBuckets::visit(const Reply& value, const BucketPlace& place, const std::function<void(const BucketMember&)>& each) const {
  if (value.is_nil()) return;
  if (layout_.container != Container::packed) return each_member(value, [&](std::string_view member) { each(read_member(member)); });
  const RecordForm& form = records_[place.block];
  std::string buffer;
  for (RecordReader reader(form, value.text()); reader.next();) {
    const PackedRecord record = reader.record();
    each({record.bytes, id_text(form, record.id, buffer), form.whole(reader.rest(), place.bits)});
  }
}

}  // namespace leitong::redis
