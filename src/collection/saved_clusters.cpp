#include "collection/saved_clusters.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

#include "leitong/error.h"
#include "records/json_object.h"
#include "storage/table.h"

namespace leitong::collection {
namespace {

constexpr const char* file_kind = "collection-clusters";
constexpr std::uint32_t file_version = 1;
enum Columns : std::size_t { cluster, sequence, kept, id };

const storage::Schema& schema() {
  static const storage::Schema columns{
      file_kind, file_version, {{"cluster", 8}, {"sequence", 8}, {"kept", 1}, {"id", 0}}, 16384, 16U << 20U};
  return columns;
}

std::uint64_t number_of_hex(const std::string& hex, const std::string& path) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(hex.data(), hex.data() + hex.size(), number, 16);
  if (error != std::errc() || end != hex.data() + hex.size() || number == 0)
    throw Error(ErrorCode::format, path + ": its key makes no sense; remove the file, which is derived from the others");
  return number;
}

}  // namespace

std::optional<std::uint64_t> impossible_row(const SavedClusters& saved) {
  const auto& members = saved.members;
  for (std::size_t begin = 0, end = 0; begin < members.size(); begin = end) {
    std::size_t kept_members = 0;
    for (end = begin; end < members.size() && members[end].cluster == members[begin].cluster; ++end) {
      kept_members += members[end].kept ? 1 : 0;
      if (end > begin && members[end].sequence <= members[end - 1].sequence) return end;
      if (members[end].sequence >= saved.sequence) return end;
    }
    const bool ordered = begin == 0 || members[begin - 1].cluster < members[begin].cluster;
    if (!ordered || members[begin].sequence != members[begin].cluster || end - begin < 2 || kept_members != 1) return begin;
  }
  return std::nullopt;
}

CollectionClusterState SavedClusters::summary() const {
  CollectionClusterState out{mark, sequence, 0, members.size(), rule, rule_id};
  for (const ClusterMember& member : members) out.clusters += member.cluster == member.sequence ? 1 : 0;
  return out;
}

std::string clusters_path(const std::string& directory) { return directory + "/CLUSTERS"; }

std::optional<SavedClusters> read_clusters(storage::Vfs& vfs, const std::string& directory) {
  const std::string path = clusters_path(directory);
  if (!vfs.exists(path)) return std::nullopt;
  const storage::TableReader table(vfs, path, file_kind, file_version);
  if (table.schema().columns != schema().columns)
    throw Error(ErrorCode::format, path + ": its columns are not those of its kind; remove the file, which is derived from the others");
  SavedClusters saved;
  const records::JsonReader json(table.metadata(), path);
  saved.mark = {json.number(json.root(), "state"), number_of_hex(json.text(json.root(), "key"), path)};
  saved.rule = json.text(json.root(), "rule"), saved.rule_id = json.text(json.root(), "rule_id");
  saved.sequence = json.number(json.root(), "next_sequence");
  saved.members.reserve(table.rows());
  storage::Block block(schema());
  for (std::size_t b = 0; b < table.blocks(); ++b) {
    table.read_block(b, std::array<std::size_t, 4>{cluster, sequence, kept, id}, block);
    for (std::size_t i = 0; i < table.block_rows(b); ++i)
      saved.members.push_back({block.column<std::uint64_t>(cluster)[i], block.column<std::uint64_t>(sequence)[i],
                               std::string(block.text(id, i)), block.column<std::uint8_t>(kept)[i] != 0});
  }
  if (const auto row = impossible_row(saved))
    throw Error(ErrorCode::format, fmt::format("{}: row {} makes no sense; remove the file, which is derived from the others", path, *row));
  return saved;
}

std::optional<SavedClusters> usable_clusters(storage::Vfs& vfs, const std::string& directory) {
  try {
    return read_clusters(vfs, directory);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::format && error.code() != ErrorCode::unsupported) throw;
    return std::nullopt;
  }
}

void write_clusters(storage::Vfs& vfs, const std::string& directory, const SavedClusters& saved) {
  storage::TableWriter writer(vfs, clusters_path(directory), schema());
  storage::Block block(schema());
  for (const ClusterMember& member : saved.members) {
    block.put(cluster, member.cluster);
    block.put(sequence, member.sequence);
    block.put(kept, static_cast<std::uint8_t>(member.kept ? 1 : 0));
    block.put_text(id, member.id);
    if (block.rows() < schema().rows_per_block) continue;
    writer.append(block);
    block.clear();
  }
  writer.append(block);
  writer.finish(records::JsonObject()
                    .number("state", saved.mark.state)
                    .text("key", fmt::format("{:016x}", saved.mark.key))
                    .number("next_sequence", saved.sequence)
                    .text("rule", saved.rule)
                    .text("rule_id", saved.rule_id)
                    .str());
}

}  // namespace leitong::collection
