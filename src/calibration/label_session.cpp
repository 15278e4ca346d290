// Pairs shown one by one to a person at a terminal, and the labels kept.

#include <algorithm>

#include "calibration/calibration_files.h"
#include "leitong/error.h"
#include "outputs/output_file.h"
#include "storage/vfs.h"

namespace leitong {

LabelSession::LabelSession(const std::string& directory) : directory_(directory) {
  const calibration::CalibrationPaths paths(directory);
  calibration::Sample sample = calibration::read_sample(directory);
  sample_ = sample.id;
  profile_ = std::move(sample.profile);
  pairs_ = calibration::read_pair_texts(paths.texts);
  if (pairs_.size() != sample.pairs.size())
    throw Error(ErrorCode::format, paths.texts + ": other pairs than sample.json speaks of; draw the pairs again");
  if (storage::posix_vfs().exists(paths.labels))
    labels_ = calibration::read_labels(paths.labels, sample_, pairs_.size());
  else
    labels_.assign(pairs_.size(), PairLabel::none);
}

std::size_t LabelSession::labelled() const {
  return static_cast<std::size_t>(std::count_if(labels_.begin(), labels_.end(), [](PairLabel label) { return label != PairLabel::none; }));
}

std::vector<DiffRun> LabelSession::difference(std::size_t i) const {
  return leitong::difference(pairs_.at(i).a.text, pairs_.at(i).b.text, profile_);
}

void LabelSession::save() const {
  outputs::write_file(calibration::CalibrationPaths(directory_).labels, calibration::labels_json(sample_, labels_));
}

}  // namespace leitong
