// The order of the keep policy as bytes, and stars of edges that come in that order.

#include <unordered_set>

#include "cluster/keep.h"
#include "leitong/distributed.h"

namespace leitong::distributed {

struct KeepOrder::Impl {
  cluster::KeepPolicy policy;
};

KeepOrder::KeepOrder(std::string_view policy) : impl_(new Impl{cluster::KeepPolicy(policy)}) {}
KeepOrder::~KeepOrder() = default;
const std::vector<std::string>& KeepOrder::fields() const { return impl_->policy.fields(); }
bool KeepOrder::uses_neighbours() const { return impl_->policy.uses_neighbours(); }

std::vector<std::string> KeepOrder::rules() const {
  std::vector<std::string> out;
  for (std::size_t rule = 0; rule < impl_->policy.rules(); ++rule) out.push_back(impl_->policy.text(rule));
  return out;
}

void KeepOrder::key(const Record& record, std::string& out) const {
  const cluster::KeepCandidate candidate{record.number, record.text_bytes, record.source, record.fields, record.neighbours};
  for (std::size_t rule = 0; rule < impl_->policy.rules(); ++rule) {
    const std::uint64_t key = impl_->policy.key(rule, candidate);
    for (unsigned byte = 8; byte-- > 0;) out.push_back(static_cast<char>(key >> (8 * byte)));
  }
}

struct Stars::Impl {
  std::uint64_t component = 0;
  std::unordered_set<std::uint64_t> taken;
};

Stars::Stars() : impl_(std::make_unique<Impl>()) {}
Stars::~Stars() = default;

bool Stars::takes(std::uint64_t component, std::uint64_t better, std::uint64_t worse) {
  Impl& i = *impl_;
  if (component != i.component) i.taken.clear(), i.component = component;
  if (i.taken.contains(better) || i.taken.contains(worse)) return false;
  i.taken.insert(worse);
  return true;
}

}  // namespace leitong::distributed
