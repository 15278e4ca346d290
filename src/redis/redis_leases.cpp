#include "redis/redis_leases.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <random>

#include "leitong/error.h"

namespace leitong::redis {
namespace {

constexpr std::size_t fields_a_script = 4'000;  // in one script, during which the server does nothing else; Lua unpacks at most about 8,000

// ARGV: the owner, the duration in milliseconds, the number of neighbourhoods of each fingerprint, and the neighbourhoods. Returns 1 or 0
// for each fingerprint.
constexpr std::string_view take_script = R"(
local time=redis.call('TIME')
local now=time[1]*1000+math.floor(time[2]/1000)
local value=string.format('%.0f %s',now+ARGV[2],ARGV[1])
local n=tonumber(ARGV[3])
local out,any={},false
for at=4,#ARGV,n do
  local free=1
  for _,one in ipairs(redis.call('HMGET',KEYS[1],unpack(ARGV,at,at+n-1))) do
    if one then
      local ends,whose=string.match(one,'^(%d+) (.*)$')
      if whose~=ARGV[1] and tonumber(ends)>now then free=0 break end
    end
  end
  if free==1 then
    local words={}
    for i=at,at+n-1 do words[#words+1]=ARGV[i] words[#words+1]=value end
    redis.call('HMSET',KEYS[1],unpack(words))
    any=true
  end
  out[#out+1]=free
end
if any then redis.call('PEXPIRE',KEYS[1],2*ARGV[2]) end
return out)";

// ARGV: the owner, the duration in milliseconds, and the neighbourhoods, each once. Returns 1 or 0 for each neighbourhood.
constexpr std::string_view keep_script = R"(
local time=redis.call('TIME')
local value=string.format('%.0f %s',time[1]*1000+math.floor(time[2]/1000)+ARGV[2],ARGV[1])
local out={}
for i,one in ipairs(redis.call('HMGET',KEYS[1],unpack(ARGV,3,#ARGV))) do
  out[i]=0
  if one and string.match(one,'^%d+ (.*)$')==ARGV[1] then
    redis.call('HSET',KEYS[1],ARGV[i+2],value)
    out[i]=1
  end
end
redis.call('PEXPIRE',KEYS[1],2*ARGV[2])
return out)";

constexpr std::string_view release_script = R"(
local out,ours={},{}
for i,one in ipairs(redis.call('HMGET',KEYS[1],unpack(ARGV,3,#ARGV))) do
  out[i]=0
  if one and string.match(one,'^%d+ (.*)$')==ARGV[1] then
    ours[#ours+1]=ARGV[i+2]
    out[i]=1
  end
end
if #ours>0 then redis.call('HDEL',KEYS[1],unpack(ours)) end
return out)";

std::string random_name() {
  std::random_device random;
  return fmt::format("{:08x}{:08x}", random(), random());
}

using FieldBytes = std::array<char, 8>;

FieldBytes bytes_of(std::uint64_t number) {
  FieldBytes bytes{};
  for (char& byte : bytes) {
    byte = static_cast<char>(number & 0xffU);
    number >>= 8U;
  }
  return bytes;
}

// Adds a script for some of the neighbourhoods: `fixed` arguments, then eight bytes for each neighbourhood.
void add_script(std::string_view script, const std::string& key, std::initializer_list<std::string_view> fixed,
                std::span<const std::uint64_t> numbers, Commands& batch) {
  std::vector<FieldBytes> fields;
  fields.reserve(numbers.size());
  std::vector<std::string_view> words = {"EVAL", script, "1", key};
  words.insert(words.end(), fixed);
  for (const std::uint64_t number : numbers) {
    fields.push_back(bytes_of(number));
    words.emplace_back(fields.back().data(), fields.back().size());
  }
  batch.add(words, Repeat::harmless, 3);
}

std::vector<bool> flags_in(const Replies& replies, std::size_t wanted) {
  std::vector<bool> flags;
  flags.reserve(wanted);
  for (std::size_t i = 0; i < replies.size(); ++i)
    for (const Reply& one : replies[i]) flags.push_back(one.integer() == 1);
  if (flags.size() != wanted)
    throw Error(ErrorCode::io, fmt::format("Redis: the script of leases answers {} flags for {}", flags.size(), wanted));
  return flags;
}

}  // namespace

RedisLeases::RedisLeases(std::string key, unsigned k, std::chrono::milliseconds time)
    : key_(std::move(key)), own_(random_name()), neighbourhoods_(k), time_(time) {}

std::vector<bool> RedisLeases::take(std::span<const std::uint64_t> fingerprints, const Run& run) {
  const std::size_t each = neighbourhoods_.per_fingerprint(), some = fields_a_script / each;
  taking_ = fmt::format("{}.{}", own_, ++takings_);
  const std::string time = std::to_string(time_.count()), number = std::to_string(each);
  Commands batch;
  for (std::size_t at = 0; at < fingerprints.size(); at += some) {
    std::vector<std::uint64_t> numbers;
    for (const std::uint64_t fingerprint : fingerprints.subspan(at, std::min(some, fingerprints.size() - at)))
      neighbourhoods_.append(fingerprint, numbers);
    add_script(take_script, key_, {taking_, time, number}, numbers, batch);
  }
  return flags_in(run(batch), fingerprints.size());
}

std::vector<bool> RedisLeases::keep(std::span<const std::uint64_t> fingerprints, const Run& run) {
  return held_since(fingerprints, keep_script, run);
}

std::vector<bool> RedisLeases::release(std::span<const std::uint64_t> fingerprints, const Run& run) {
  return held_since(fingerprints, release_script, run);
}

// Several fingerprints may share a neighbourhood; it is sent only once.
std::vector<bool> RedisLeases::held_since(std::span<const std::uint64_t> fingerprints, std::string_view script, const Run& run) {
  std::vector<std::uint64_t> all;
  for (const std::uint64_t fingerprint : fingerprints) neighbourhoods_.append(fingerprint, all);
  std::vector<std::uint64_t> distinct = all;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  const std::string time = std::to_string(time_.count());
  Commands batch;
  for (std::size_t at = 0; at < distinct.size(); at += fields_a_script)
    add_script(script, key_, {taking_, time}, std::span(distinct).subspan(at, std::min(fields_a_script, distinct.size() - at)), batch);
  const std::vector<bool> ours = flags_in(run(batch), distinct.size());
  std::vector<bool> held(fingerprints.size(), true);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto at = std::lower_bound(distinct.begin(), distinct.end(), all[i]) - distinct.begin();
    if (!ours[static_cast<std::size_t>(at)]) held[i / neighbourhoods_.per_fingerprint()] = false;
  }
  return held;
}

}  // namespace leitong::redis
