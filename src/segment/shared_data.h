// Compiled dictionaries, opened once in a process however many segmenters use them, and closed with the last of these. A file
// that was replaced by one of another content id is opened anew; who has the old one keeps it. Thread-safe.
// `name_or_path`: as find_data takes it (leitong/data.h); errors as of find_data and of opening.
#pragma once

#include <memory>
#include <string>

#include "segment/hanlp_data.h"
#include "segment/ik_dictionary.h"
#include "segment/jieba_data.h"

namespace leitong::segment {

[[nodiscard]] std::shared_ptr<const JiebaData> shared_jieba(const std::string& name_or_path);
[[nodiscard]] std::shared_ptr<const HanlpData> shared_hanlp(const std::string& name_or_path);
[[nodiscard]] std::shared_ptr<const IkDictionary> shared_ik(const std::string& name_or_path);

}  // namespace leitong::segment
