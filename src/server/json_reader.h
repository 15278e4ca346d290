// Reads the JSON objects of requests, field by field, strictly: what is there must be of the kind that is asked for.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace leitong::server {

// One object at a time. Views are valid until the next read(). Reuses its buffers: make one a thread.
class JsonReader {
 public:
  explicit JsonReader(unsigned depth);  // deepest nesting that is taken
  ~JsonReader();
  JsonReader(JsonReader&&) noexcept;
  JsonReader& operator=(JsonReader&&) noexcept;

  // Throws Problem(422) if it is no object of JSON in UTF-8, is nested too deeply, or has a member that `allowed` does not name;
  // if that is empty, others may stand in it, as in records that were made for something else.
  void read(std::string_view json, std::initializer_list<std::string_view> allowed);

  // None: there is no such member, or it is null. Throws Problem(422), with the field's name, if it is of another kind.
  [[nodiscard]] std::optional<std::string_view> text(std::string_view name) const;
  [[nodiscard]] std::optional<std::uint64_t> number(std::string_view name) const;
  [[nodiscard]] std::optional<bool> flag(std::string_view name) const;
  [[nodiscard]] std::optional<std::vector<std::string>> texts(std::string_view name) const;
  // Any value, as JSON without spaces.
  [[nodiscard]] std::optional<std::string> raw(std::string_view name) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

[[nodiscard]] bool is_utf8(std::string_view bytes);

}  // namespace leitong::server
