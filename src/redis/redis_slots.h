// Which node of a Redis cluster has which key: the hash slot of a key, and the table of the slots' masters.
//
// Threads: any for the functions; the table as a std::vector. Errors: Error(format) for a reply that is no table of slots.
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

// CRC-16/XMODEM: 0x31C3 of "123456789".
[[nodiscard]] std::uint16_t crc16(std::string_view bytes) noexcept;
// Of what stands between the first { and the next }, where that is something; else of the whole key.
[[nodiscard]] unsigned hash_slot(std::string_view key) noexcept;

// Masters by slot; replicas are left out.
struct SlotTable {
  static constexpr std::uint16_t nobody = 0xFFFF;
  std::vector<net::Endpoint> masters;  // in the order of the reply
  std::vector<std::uint16_t> owner;    // hash_slots of them: index of a master, or nobody
};

// The reply to CLUSTER SLOTS, which every version of Redis and Valkey gives. `asked`: the node that answered; an empty host means that one.
[[nodiscard]] SlotTable read_slots(const Reply& reply, const net::Endpoint& asked);

struct Redirection {
  unsigned slot = 0;
  net::Endpoint to;
};

// "MOVED 3999 host:port" or "ASK ...". None: it does not say where to.
[[nodiscard]] std::optional<Redirection> read_redirection(std::string_view error, const net::Endpoint& asked);

}  // namespace leitong::redis
