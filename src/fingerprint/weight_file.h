// Files of weights: "word number" a line, the number behind the last space or tab.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace leitong::fingerprint {

// Calls `take` with each word and its number in 1/256, rounded. Empty lines are left out. Error(format) with the line for what is no
// number from 0 to `most`; `what` names the file for messages: "an idf table".
void read_weights(const std::string& path, std::string_view what, double most,
                  const std::function<void(std::string_view word, std::uint32_t in_256ths)>& take);

}  // namespace leitong::fingerprint
