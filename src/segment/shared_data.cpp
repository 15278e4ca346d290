#include "segment/shared_data.h"

#include <map>
#include <mutex>
#include <utility>

#include "leitong/data.h"

namespace leitong::segment {
namespace {

template <typename Data, typename Open>
std::shared_ptr<const Data> shared(DataKind kind, const std::string& name_or_path, Open open) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, std::string>, std::weak_ptr<const Data>> opened;  // by path and content id
  const std::string path = find_data(kind, name_or_path);
  const std::lock_guard lock(mutex);
  std::erase_if(opened, [](const auto& entry) { return entry.second.expired(); });
  if (const auto known = opened.find({path, content_of_data(path)}); known != opened.end()) {
    if (std::shared_ptr<const Data> data = known->second.lock()) return data;
  }
  std::shared_ptr<const Data> data = open(path);
  opened[{path, data->content().hex()}] = data;  // of what was opened: the file may have been replaced meanwhile
  return data;
}

}  // namespace

std::shared_ptr<const JiebaData> shared_jieba(const std::string& name_or_path) {
  return shared<JiebaData>(DataKind::jieba, name_or_path,
                           [](const std::string& path) { return std::make_shared<const JiebaData>(JiebaData::open(path)); });
}

std::shared_ptr<const HanlpData> shared_hanlp(const std::string& name_or_path) {
  return shared<HanlpData>(DataKind::hanlp, name_or_path, [](const std::string& path) { return std::make_shared<const HanlpData>(path); });
}

std::shared_ptr<const IkDictionary> shared_ik(const std::string& name_or_path) {
  return shared<IkDictionary>(DataKind::ik, name_or_path,
                              [](const std::string& path) { return std::make_shared<const IkDictionary>(IkDictionary::open(path)); });
}

}  // namespace leitong::segment
