// A right checksum does not make a right file of HanLP's data: what the segmenter relies on and does not test.
#pragma once

#include "segment/section_file.h"

namespace leitong::segment {

// One pass over all sections: sizes, every index, ends of walks and of probes, costs that can be compared. Error(format).
void check_hanlp(const SectionFile& file);

}  // namespace leitong::segment
