#pragma once

#include <cstdint>

namespace leitong::net {

// Whether a request may be sent again if it is unknown whether it was executed. (SADD: yes. INCR: no.)
enum class Repeat : std::uint8_t { harmless, never };

}  // namespace leitong::net
