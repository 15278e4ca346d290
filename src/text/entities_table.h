// HTML's named character references, sorted by name; names end with ';' except the old ones that are also known without it.
#pragma once

#include <cstddef>

namespace leitong::text {

struct Entity {
  const char* name;
  char32_t first, second;  // second is 0 for most
};

extern const Entity entities[];
extern const std::size_t entity_count;

}  // namespace leitong::text
