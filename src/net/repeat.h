#pragma once

#include <cstdint>

namespace leitong::net {

// May a request be sent again when nobody knows whether it was executed? (SADD: yes. INCR: no.)
enum class Repeat : std::uint8_t { harmless, never };

}  // namespace leitong::net
