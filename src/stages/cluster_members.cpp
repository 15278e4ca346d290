#include "stages/cluster_members.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "leitong/error.h"

namespace leitong::stages {
namespace {

struct NameHead {
  std::uint64_t record = 0, length = 0;
  std::uint32_t file = 0, source = 0;
  std::uint64_t id = 0;  // bytes of the length that are the id; the address follows
};
constexpr std::size_t guess = 64;  // bytes of a name that are read first; most names are shorter

}  // namespace

ClusterMembers::ClusterMembers(std::string scratch, std::uint64_t memory)
    : scratch_(std::move(scratch)),
      memory_(memory),
      names_(storage::posix_vfs(), scratch_ + "names", memory / 16),
      by_cluster_(sort("by-cluster")) {}

std::unique_ptr<storage::ExternalSort> ClusterMembers::sort(const char* name) const {
  return std::make_unique<storage::ExternalSort>(storage::posix_vfs(), scratch_ + name, memory_, false);
}

void ClusterMembers::add(std::uint32_t row, std::uint32_t cluster, bool kept, const RecordName& name) {
  const NameHead head{name.record, name.id.size() + name.url.size(), name.file, name.source, name.id.size()};
  const std::uint64_t at = names_.append(std::as_bytes(std::span(&head, 1)));
  names_.append(std::as_bytes(std::span(name.id)));
  names_.append(std::as_bytes(std::span(name.url)));
  const storage::SortRecord place{std::uint64_t{cluster} << 32 | row, at << 1 | (kept ? 1 : 0)};
  by_cluster_->add({&place, 1});
}

const RecordName& ClusterMembers::name(std::uint64_t place) {
  if (place == name_at_) return name_;
  std::array<std::byte, guess> bytes{};
  const auto there = static_cast<std::size_t>(std::min<std::uint64_t>(guess, names_.size() - place));
  names_.read(place, std::span(bytes).first(there));
  NameHead head;
  std::memcpy(&head, bytes.data(), sizeof head);
  name_.record = head.record, name_.file = head.file, name_.source = head.source;
  name_.id.resize(head.length);
  const std::size_t have = std::min(name_.id.size(), there - sizeof head);
  std::memcpy(name_.id.data(), bytes.data() + sizeof head, have);
  if (have < name_.id.size()) names_.read(place + there, std::as_writable_bytes(std::span(name_.id)).subspan(have));
  name_.url = name_.id.substr(head.id);
  name_.id.resize(head.id);
  name_at_ = place;
  return name_;
}

const RecordName& ClusterMembers::Cluster::name(std::uint64_t member) const {
  return members_->name((*members_->order_)[begin_ + member].low >> 1);
}

std::uint32_t ClusterMembers::Cluster::row(std::uint64_t member) const {
  return static_cast<std::uint32_t>((*members_->order_)[begin_ + member].high);
}

ClusterMembers::Cluster ClusterMembers::cluster_at(std::uint64_t begin) {
  Cluster cluster;
  cluster.members_ = this;
  cluster.begin_ = begin;
  cluster.number = static_cast<std::uint32_t>((*order_)[begin].high >> 32);
  unsigned kept = 0;
  for (std::uint64_t i = begin; i < order_->size(); ++i, ++cluster.size) {
    const storage::SortRecord member = (*order_)[i];
    if (member.high >> 32 != cluster.number) break;
    if ((member.low & 1) == 0) continue;
    ++kept;
    cluster.kept_ = member.low >> 1;
    cluster.kept_row = static_cast<std::uint32_t>(member.high);
  }
  if (kept != 1)
    throw Error(ErrorCode::format,
                fmt::format("cluster {} of the cluster file keeps {} records instead of one; run cluster again", cluster.number, kept));
  return cluster;
}

void ClusterMembers::for_each_cluster(const std::function<void(const Cluster&)>& visit) {
  order_.emplace(storage::posix_vfs(), scratch_ + "order");
  by_cluster_->drain([&](std::span<const storage::SortRecord> records) { order_->append(records); });
  by_cluster_.reset();
  by_row_ = sort("by-row");
  for (std::uint64_t begin = 0; begin < order_->size();) {
    const Cluster cluster = cluster_at(begin);
    visit(cluster);
    for (std::uint64_t i = 0; i < cluster.size; ++i) {
      const storage::SortRecord place{std::uint64_t{cluster.row(i)} << 32 | cluster.size, cluster.kept_};
      by_row_->add({&place, 1});
    }
    begin += cluster.size;
  }
  order_.reset();
}

ClusterMembers::Place ClusterMembers::next_row() {
  if (batch_.empty()) batch_ = by_row_->next();
  if (batch_.empty()) throw Error(ErrorCode::usage, "more rows were asked for than clusters have");
  const storage::SortRecord record = batch_.front();
  batch_ = batch_.subspan(1);
  return {static_cast<std::uint32_t>(record.high), record.low};
}

}  // namespace leitong::stages
