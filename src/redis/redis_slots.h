// Which node of a Redis cluster has a key: the hash slot of a key, and the table of the slots' masters.
//
// Threads: any for the functions; the table as a std::vector. Errors: Error(format) for a reply that is not a table of slots.
// Source: the cluster specification of redis.io, https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "net/tcp_stream.h"
#include "redis/resp.h"

namespace leitong::redis {

inline constexpr unsigned hash_slots = 16'384;

// CRC-16/XMODEM; it is 0x31C3 for "123456789".
[[nodiscard]] std::uint16_t crc16(std::string_view bytes) noexcept;
// The slot of the part between the first { and the next }, if that is not empty; otherwise of the whole key.
[[nodiscard]] unsigned hash_slot(std::string_view key) noexcept;

// The master of each slot, without replicas.
struct SlotTable {
  static constexpr std::uint16_t nobody = 0xFFFF;
  std::vector<net::Endpoint> masters;  // in the order of the reply
  std::vector<std::uint16_t> owner;    // for each slot: index of its master, or nobody
};

// Reads the reply to CLUSTER SLOTS, which all versions of Redis and Valkey support. `asked`: the node that answered; an empty host in the
// reply means that node.
[[nodiscard]] SlotTable read_slots(const Reply& reply, const net::Endpoint& asked);

struct Redirection {
  unsigned slot = 0;
  net::Endpoint to;
};

// Reads "MOVED 3999 host:port" or "ASK ..."; empty if the reply names no target.
[[nodiscard]] std::optional<Redirection> read_redirection(std::string_view error, const net::Endpoint& asked);

}  // namespace leitong::redis
