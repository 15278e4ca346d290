// The file of `leitong collection clusters --changes FILE`: what has been told of a collection's clusters so far.
#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "leitong/collection.h"

namespace leitong::cli {

class ClusterFeed {
 public:
  // Of the clusters that everything before this line leads to.
  static std::string end_line(const CollectionClusterState& state);
  static constexpr std::string_view begin_of_line = "{\"state\":";

  // Error(usage) if it is there and something else.
  explicit ClusterFeed(std::string path);
  ~ClusterFeed();
  ClusterFeed(const ClusterFeed&) = delete;
  ClusterFeed& operator=(const ClusterFeed&) = delete;

  // Of the clusters that the file leads to. Key 0: they are not known, for what was told last was broken off, or nothing was.
  [[nodiscard]] CollectionClusterMark mark() const { return mark_; }
  void write(std::string_view lines);
  // The closing line. It vouches for all others, so it reaches the disk after them.
  void finish(std::string_view end_line);

 private:
  [[noreturn]] void fail(const char* what) const;
  ssize_t read_at(char* to, std::size_t size, off_t offset) const;
  [[nodiscard]] off_t line_before(off_t end) const;
  void find_end();
  void sync();

  std::string path_;
  int file_ = -1;
  off_t length_ = 0;  // of whole lines
  CollectionClusterMark mark_;
  bool begun_ = false;
};

}  // namespace leitong::cli
