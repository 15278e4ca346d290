// For tests: Arrow arrays made by hand, as another program would hand them over.
#pragma once

#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "leitong/arrow.h"

namespace leitong::records {

// A schema with its array, and all that they point to. `live` counts those that nobody has released.
struct ArrowMade {
  ArrowSchema schema{};
  ArrowArray array{};
};

class ArrowParts {
 public:
  std::deque<std::string> texts;
  std::deque<std::vector<const void*>> buffers;
  std::deque<std::vector<ArrowSchema*>> schemas;
  std::deque<std::vector<ArrowArray*>> arrays;
  std::deque<ArrowSchema> made_schemas;
  std::deque<ArrowArray> made_arrays;
};

inline int& live_arrow_parts() {
  static int live = 0;
  return live;
}

// Columns are built into one table, which is then taken.
class ArrowBuilder {
 public:
  using Texts = std::vector<std::optional<std::string>>;

  // `format`: u, U, vu, or z. The first `offset` values are before the array's beginning.
  ArrowMade strings(const std::string& name, const std::string& format, const Texts& values, std::int64_t offset = 0) {
    std::string bits = bitmap(values), offsets, bytes, views;
    const auto add = [&](auto number) { offsets.append(reinterpret_cast<const char*>(&number), sizeof number); };
    const auto size_of_now = [&] { format == "U" ? add(std::int64_t(bytes.size())) : add(std::int32_t(bytes.size())); };
    size_of_now();
    for (const auto& value : values) {
      const std::string text = value.value_or("");
      const std::size_t begin = views.size();
      views.resize(begin + 16);
      const auto size = static_cast<std::int32_t>(text.size()), buffer = 0, at = static_cast<std::int32_t>(bytes.size());
      std::memcpy(&views[begin], &size, 4);
      if (size <= 12) {
        std::memcpy(&views[begin + 4], text.data(), text.size());
      } else {
        std::memcpy(&views[begin + 4], text.data(), 4);
        std::memcpy(&views[begin + 8], &buffer, 4);
        std::memcpy(&views[begin + 12], &at, 4);
      }
      bytes += text;
      size_of_now();
    }
    std::string sizes(8, '\0');
    const auto all = static_cast<std::int64_t>(bytes.size());
    std::memcpy(sizes.data(), &all, 8);
    ArrowMade made = format == "vu" ? leaf(name, format, {bits, views, bytes, sizes}) : leaf(name, format, {bits, offsets, bytes});
    return sliced(made, static_cast<std::int64_t>(values.size()), offset);
  }

  template <typename T>
  ArrowMade numbers(const std::string& name, const std::string& format, const std::vector<std::optional<T>>& values) {
    std::string bytes;
    for (const auto& value : values) {
      const T number = value.value_or(T{});
      bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    }
    return sliced(leaf(name, format, {bitmap(values), bytes}), static_cast<std::int64_t>(values.size()), 0);
  }

  ArrowMade dictionary(const std::string& name, const std::vector<std::optional<std::int32_t>>& indices, ArrowMade values) {
    ArrowMade made = numbers<std::int32_t>(name, "i", indices);
    made.schema.dictionary = &parts_->made_schemas.emplace_back(values.schema);
    made.array.dictionary = &parts_->made_arrays.emplace_back(values.array);
    return made;
  }

  // `ends`: where each row's elements end.
  ArrowMade list(const std::string& name, const std::vector<std::int32_t>& ends, ArrowMade elements) {
    std::string offsets(4, '\0');
    for (const std::int32_t end : ends) offsets.append(reinterpret_cast<const char*>(&end), 4);
    ArrowMade made = leaf(name, "+l", {"", offsets});
    return sliced(parent(made, {elements}), static_cast<std::int64_t>(ends.size()), 0);
  }

  ArrowMade structure(const std::string& name, const std::vector<ArrowMade>& children) {
    ArrowMade made = parent(leaf(name, "+s", {""}), children);
    return sliced(made, children.empty() ? 0 : children.front().array.length, 0);
  }

  // As the producer gives it: released by its taker.
  ArrowMade take(ArrowMade made) {
    live_arrow_parts() += 2;
    made.schema.private_data = new std::shared_ptr<ArrowParts>(parts_);
    made.schema.release = [](ArrowSchema* schema) { released(schema); };
    made.array.private_data = new std::shared_ptr<ArrowParts>(parts_);
    made.array.release = [](ArrowArray* array) { released(array); };
    return made;
  }

 private:
  template <typename T>
  static void released(T* what) {
    delete static_cast<std::shared_ptr<ArrowParts>*>(what->private_data);
    what->release = nullptr;
    --live_arrow_parts();
  }

  template <typename T>
  static std::string bitmap(const std::vector<std::optional<T>>& values) {
    std::string bits(values.size() / 8 + 1, '\0');
    bool all = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i]) bits[i / 8] = static_cast<char>(bits[i / 8] | 1 << (i % 8));
      all = all && values[i];
    }
    return all ? std::string() : bits;
  }

  ArrowMade leaf(const std::string& name, const std::string& format, const std::vector<std::string>& buffers) {
    ArrowMade made;
    made.schema.name = parts_->texts.emplace_back(name).c_str();
    made.schema.format = parts_->texts.emplace_back(format).c_str();
    std::vector<const void*>& list = parts_->buffers.emplace_back();
    for (const std::string& buffer : buffers) list.push_back(parts_->texts.emplace_back(buffer).data());
    if (buffers.front().empty()) list.front() = nullptr;  // no bitmap
    made.array.null_count = -1;
    made.array.buffers = list.data();
    made.array.n_buffers = static_cast<std::int64_t>(list.size());
    return made;
  }

  ArrowMade parent(ArrowMade made, const std::vector<ArrowMade>& children) {
    std::vector<ArrowSchema*>& schemas = parts_->schemas.emplace_back();
    std::vector<ArrowArray*>& arrays = parts_->arrays.emplace_back();
    for (const ArrowMade& child : children) {
      schemas.push_back(&parts_->made_schemas.emplace_back(child.schema));
      arrays.push_back(&parts_->made_arrays.emplace_back(child.array));
    }
    made.schema.n_children = made.array.n_children = static_cast<std::int64_t>(children.size());
    made.schema.children = schemas.data(), made.array.children = arrays.data();
    return made;
  }

  static ArrowMade sliced(ArrowMade made, std::int64_t length, std::int64_t offset) {
    made.array.length = length - offset, made.array.offset = offset;
    return made;
  }

  std::shared_ptr<ArrowParts> parts_ = std::make_shared<ArrowParts>();
};

}  // namespace leitong::records
