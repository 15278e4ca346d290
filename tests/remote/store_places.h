// Places where a store can be made: what the conformance tests run over. Servers are started when first needed and end with the program.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "records/read_input_test.h"
#include "redis/redis_cluster_process_test.h"
#include "redis/redis_process_test.h"
#include "search/search_process_test.h"

namespace leitong {

struct StorePlaces {
  std::string name;
  std::string layout;  // empty: the default
  bool in_memory = false, slow = false;
  std::function<std::string()> missing = [] { return std::string(); };  // why it cannot be tested here
  std::function<std::string()> fresh;                                   // where nothing is
  friend std::ostream& operator<<(std::ostream& out, const StorePlaces& places) { return out << places.name; }
};

inline std::string next_name() {
  static int number = 0;
  return "store" + std::to_string(++number);
}

inline StorePlaces directory_places() {
  StorePlaces places;
  places.name = "Directory";
  places.fresh = [] {
    static const TemporaryDirectory directory;
    return directory / next_name().c_str();
  };
  return places;
}

inline std::string url_of(const std::string& scheme, const std::vector<net::Endpoint>& servers, const std::string& rest) {
  std::string url = scheme + "://";
  for (std::size_t i = 0; i < servers.size(); ++i) url += (i == 0 ? "" : ",") + servers[i].text();
  return url + rest;
}

inline std::string named(const std::string& name, const std::string& layout) {
  if (layout.empty()) return name;
  return name + (layout == "article-plain" ? "ArticlePlain" : "ArticlePositioned");
}

inline StorePlaces redis_places(const std::string& layout = "") {
  StorePlaces places;
  places.name = named("Redis", layout);
  places.layout = layout;
  places.missing = redis::missing_package;
  places.fresh = [] {
    static const redis::RedisProcess server;
    return url_of("redis", {server.endpoint()}, "/0?prefix=" + next_name() + ":");
  };
  return places;
}

inline StorePlaces redis_cluster_places(const std::string& layout = "") {
  StorePlaces places;
  places.name = named("RedisCluster", layout);
  places.layout = layout;
  places.missing = redis::missing_package;
  places.fresh = [] {
    static const redis::RedisClusterProcess cluster;
    return url_of("redis+cluster", {cluster.nodes[0]->endpoint(), cluster.nodes[1]->endpoint()}, "?prefix=" + next_name() + ":");
  };
  return places;
}

template <unsigned nodes>
StorePlaces search_places(const std::string& layout = "") {
  StorePlaces places;
  places.name = named(nodes == 1 ? "OpenSearch" : "OpenSearch" + std::to_string(nodes) + "Nodes", layout);
  places.layout = layout;
  places.slow = true;
  places.missing = search::missing_opensearch;
  places.fresh = [] {
    static const search::OpenSearchProcess servers(nodes);
    return url_of("es+http", servers.nodes(), "/" + next_name());
  };
  return places;
}

inline std::vector<StorePlaces> all_store_places() {
  StorePlaces memory;
  memory.name = "Memory";
  memory.in_memory = true;
  return {memory,
          directory_places(),
          redis_places(),
          redis_places("article-plain"),
          redis_places("article-positioned"),
          redis_cluster_places(),
          redis_cluster_places("article-plain"),
          search_places<1>(),
          search_places<1>("article-plain"),
          search_places<1>("article-positioned"),
          search_places<3>()};
}

}  // namespace leitong
