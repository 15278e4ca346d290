#include "search/search_errors.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "net/printable.h"

namespace leitong::search {
namespace {

using enum SearchErrorKind;

constexpr std::string_view queues_full = "its queues are full: write with fewer processes at once, or add nodes";
constexpr std::string_view no_manager = "the cluster has no elected master: bring its nodes back (GET _cluster/health, the nodes' logs)";
constexpr std::string_view shards_gone = "shards of the index are not in reach: bring their nodes back (GET _cluster/allocation/explain)";
constexpr std::string_view disk_full =
    "the disk's flood-stage watermark is reached or the index is set read-only: free space, then PUT INDEX/_settings "
    "{\"index.blocks.read_only_allow_delete\":null}";
constexpr std::string_view no_rights =
    "the account may not do this: give another one, or grant it the index's rights (create_index, index, delete, read, "
    "view_index_metadata, maintenance)";
constexpr std::string_view no_account =
    "user, password or API key is wrong or missing: give them in the address, LEITONG_STORE_PASSWORD or api-key-file";
constexpr std::string_view wrong_field =
    "the index's mapping does not take what the layout writes: see leitong collection inspect, or make a new index";
constexpr std::string_view no_scripts = "the server runs no Painless scripts: add filter=client to the address";

// Special errors come before general ones.
constexpr KnownSearchError known[] = {
    {"cluster_block_exception", 0, "no master", later, no_manager},
    {"cluster_block_exception", 0, "no cluster-manager", later, no_manager},
    {"cluster_block_exception", 0, "state not recovered", later, no_manager},
    {"cluster_block_exception", 0, "index closed", refuse, "the index is closed: POST INDEX/_open"},
    {"cluster_block_exception", 0, "flood-stage", refuse, disk_full},
    {"cluster_block_exception", 0, "allow delete", refuse, disk_full},
    {"cluster_block_exception", 0, "create-index blocked", refuse, "disks are nearly full: free space, or raise the disk watermarks"},
    {"cluster_block_exception", 0, "", refuse, "the index is blocked: see index.blocks in GET INDEX/_settings"},
    {"master_not_discovered_exception", 0, "", later, no_manager},
    {"cluster_manager_not_discovered_exception", 0, "", later, no_manager},
    {"process_cluster_event_timeout_exception", 0, "", later, "the master is too busy: see GET _cluster/pending_tasks"},
    {"es_rejected_execution_exception", 0, "", later, queues_full},
    {"rejected_execution_exception", 0, "", later, queues_full},
    {"opensearch_rejected_execution_exception", 0, "", later, queues_full},
    {"circuit_breaking_exception", 0, "", later, "the server's heap is full: raise it (-Xmx), add nodes, or write less at once"},
    {"unavailable_shards_exception", 0, "", later, shards_gone},
    {"no_shard_available_action_exception", 0, "", later, shards_gone},
    {"node_closed_exception", 0, "", later, shards_gone},
    {"node_not_connected_exception", 0, "", later, shards_gone},
    {"node_disconnected_exception", 0, "", later, shards_gone},
    {"alias_not_found_exception", 0, "", refuse, "no such alias: correct the address"},
    {"index_not_found_exception", 0, "", refuse, "no such index: correct the address, or make it by the first leitong collection add"},
    {"resource_already_exists_exception", 0, "", refuse, "the index is there already: use it, adopt it, or take another name"},
    {"invalid_index_name_exception", 0, "", refuse, "names of indices are lower case, without spaces and \\/*?\"<>|,#:"},
    {"index_closed_exception", 0, "", refuse, "the index is closed: POST INDEX/_open"},
    {"security_exception", 403, "", refuse, no_rights},
    {"security_exception", 0, "", refuse, no_account},
    {"version_conflict_engine_exception", 0, "", later, "another process changes the same documents: let one do it"},
    {"mapper_parsing_exception", 0, "", refuse, wrong_field},
    {"document_parsing_exception", 0, "", refuse, wrong_field},
    {"strict_dynamic_mapping_exception", 0, "", refuse, wrong_field},
    {"document_missing_exception", 0, "", refuse, wrong_field},
    {"illegal_argument_exception", 0, "cannot execute [inline] scripts", scripts_off, no_scripts},
    {"illegal_argument_exception", 0, "script_lang not supported", scripts_off, no_scripts},
    {"illegal_argument_exception", 0, "cannot execute scripts using", scripts_off, no_scripts},
    {"script_exception", 0, "", scripts_off, no_scripts},
    {"", 0, "search.allow_expensive_queries", scripts_off, no_scripts},
    {"illegal_argument_exception", 0, "more than one ind", refuse,
     "the alias stands for several indices: give one of them, or one of them is_write_index"},
    {"illegal_argument_exception", 0, "no write index", refuse, "the alias has no write index: set is_write_index on one of its indices"},
    {"illegal_argument_exception", 0, "Result window is too large", refuse,
     "the index allows fewer hits at once: raise index.max_result_window to 10000"},
    {"illegal_argument_exception", 0, "max_result_window", refuse,
     "the index allows fewer hits at once: raise index.max_result_window to 10000"},
    {"illegal_argument_exception", 0, "maximum shards open", refuse, "the cluster has too many shards: delete indices, or add nodes"},
    {"validation_exception", 0, "maximum shards open", refuse, "the cluster has too many shards: delete indices, or add nodes"},
    {"", 401, "", refuse, no_account},
    {"", 403, "", refuse, no_rights},
    {"", 404, "", refuse, "is this an Elasticsearch or OpenSearch server, and is the index's name right?"},
    {"", 405, "", refuse, "is this an Elasticsearch or OpenSearch server of version 7 or later?"},
    {"", 413, "", refuse, "the request is too large for the server: raise http.max_content_length, or a proxy's limit"},
    {"", 429, "", later, queues_full},
    {"", 502, "", later, "a proxy does not reach the server: see both logs"},
    {"", 503, "", later, shards_gone},
    {"", 504, "", later, "a proxy does not reach the server: see both logs"},
    {"", 0, "", refuse, "see the server's log"},
};

}  // namespace

const KnownSearchError& known_search_error(const SearchError& error) {
  return *std::find_if(std::begin(known), std::end(known) - 1, [&](const KnownSearchError& row) {
    return (row.type.empty() || row.type == error.type) && (row.status == 0 || row.status == error.status) &&
           error.reason.find(row.says) != std::string::npos;
  });
}

std::string explain(const SearchError& error) {
  constexpr std::size_t enough = 300;
  std::string text = std::to_string(error.status);
  if (!error.type.empty()) text += " " + net::printable(error.type, enough);
  if (!error.reason.empty()) text += ": " + net::printable(error.reason, enough);
  return fmt::format("{}: {}", text, known_search_error(error).remedy);
}

}  // namespace leitong::search
