#include "collection/place.h"

#include <filesystem>

#include "leitong/collection.h"
#include "remote/store_url.h"
#include "storage/vfs.h"
#include "store/manifest.h"

namespace leitong {

bool is_store_url(std::string_view where) { return remote::is_store_url(where); }

}  // namespace leitong

namespace leitong::collection {

bool is_collection(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_directory(path, error) && storage::posix_vfs().exists(store::manifest_path(path));
}

bool is_store(const std::string& place) {
  if (is_store_url(place)) return true;
  return is_collection(place) && !store::read_manifest(storage::posix_vfs(), place).shape.texts;
}

std::string without_secrets(const std::string& place) {
  return is_store_url(place) ? remote::without_secrets(remote::parse_store_url(place)) : place;
}

std::string argument_without_secrets(const std::string& argument) {
  const std::size_t value = argument.starts_with("--") ? argument.find('=') + 1 : 0;  // also 0 if there is no '='
  return argument.substr(0, value) + without_secrets(argument.substr(value));
}

}  // namespace leitong::collection
