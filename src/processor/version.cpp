// The library's version, and the public name of the instruction set.
#include "leitong/version.h"

#include "processor/instruction_set.h"

namespace leitong {

std::string version() { return LEITONG_VERSION; }

std::string instruction_set() { return processor::name_of(processor::instruction_set()); }

}  // namespace leitong
