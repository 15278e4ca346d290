#include "redis/redis_slots.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "leitong/error.h"

namespace leitong::redis {
namespace {

constexpr std::array<std::uint16_t, 256> crc_table = [] {
  std::array<std::uint16_t, 256> table{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned crc = byte << 8;
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 0x8000) != 0 ? (crc << 1) ^ 0x1021 : crc << 1;
    table[byte] = static_cast<std::uint16_t>(crc);
  }
  return table;
}();

[[noreturn]] void fail() { throw Error(ErrorCode::format, "Redis: the reply to CLUSTER SLOTS is no table of slots"); }

std::vector<Reply> elements_of(const Reply& reply) {
  if (reply.type() != ReplyType::array) fail();
  std::vector<Reply> elements;
  for (const Reply& element : reply) elements.push_back(element);
  return elements;
}

template <class Number>
bool parse(std::string_view digits, Number& number) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size();
}

}  // namespace

std::uint16_t crc16(std::string_view bytes) noexcept {
  unsigned crc = 0;
  for (const char c : bytes) crc = ((crc << 8) & 0xFFFF) ^ crc_table[(crc >> 8) ^ static_cast<unsigned char>(c)];
  return static_cast<std::uint16_t>(crc);
}

unsigned hash_slot(std::string_view key) noexcept {
  const std::size_t open = key.find('{');
  const std::size_t close = open == std::string_view::npos ? open : key.find('}', open);
  if (close != std::string_view::npos && close > open + 1) key = key.substr(open + 1, close - open - 1);
  return crc16(key) % hash_slots;
}

SlotTable read_slots(const Reply& reply, const net::Endpoint& asked) {
  SlotTable table;
  table.owner.assign(hash_slots, SlotTable::nobody);
  for (const Reply& range : elements_of(reply)) {
    const std::vector<Reply> parts = elements_of(range);
    if (parts.size() < 3) continue;  // no node serves this range
    const std::int64_t first = parts[0].integer(), last = parts[1].integer();
    if (first < 0 || last < first || last >= hash_slots) fail();
    const std::vector<Reply> master = elements_of(parts[2]);
    if (master.size() < 2) fail();
    const std::string host(master[0].is_nil() ? std::string_view() : master[0].text());
    const std::int64_t port = master[1].integer();
    if (host == "?" || port == 0) continue;  // the node that answered does not know the address yet
    if (port < 0 || port > 65'535) fail();
    const net::Endpoint endpoint{host.empty() ? asked.host : host, static_cast<std::uint16_t>(port)};
    auto at = std::find(table.masters.begin(), table.masters.end(), endpoint);
    if (at == table.masters.end()) at = table.masters.insert(at, endpoint);
    const auto index = static_cast<std::uint16_t>(at - table.masters.begin());
    if (table.masters.size() >= SlotTable::nobody) fail();
    std::fill(table.owner.begin() + first, table.owner.begin() + last + 1, index);
  }
  return table;
}

std::optional<Redirection> read_redirection(std::string_view error, const net::Endpoint& asked) {
  Redirection found;
  const std::size_t slot = error.find(' ');
  const std::size_t host = slot == std::string_view::npos ? slot : error.find(' ', slot + 1);
  const std::size_t port = error.rfind(':');
  if (host == std::string_view::npos || port == std::string_view::npos || port < host) return std::nullopt;
  if (!parse(error.substr(slot + 1, host - slot - 1), found.slot) || found.slot >= hash_slots) return std::nullopt;
  if (!parse(error.substr(port + 1), found.to.port) || found.to.port == 0) return std::nullopt;
  std::string_view name = error.substr(host + 1, port - host - 1);
  if (name.starts_with('[') && name.ends_with(']')) name = name.substr(1, name.size() - 2);
  if (name == "?") return std::nullopt;
  found.to.host = name.empty() ? asked.host : std::string(name);
  return found;
}

}  // namespace leitong::redis
