#include "cluster/date.h"

#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>

namespace leitong::cluster {
namespace {

constexpr std::int64_t microseconds = 1'000'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

// Reads a date from the left; every step says whether it found what it wanted, and takes nothing if not.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}
  [[nodiscard]] bool at_end() const { return rest_.empty(); }
  bool take(std::string_view any_of) {
    if (rest_.empty() || any_of.find(rest_.front()) == std::string_view::npos) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool digits(std::size_t count, int& value) {
    if (rest_.size() < count) return false;
    int result = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (!is_digit(rest_[i])) return false;
      result = 10 * result + (rest_[i] - '0');
    }
    rest_.remove_prefix(count);
    value = result;
    return true;
  }
  // Digits after a decimal point, of which six count.
  bool fraction(std::int64_t& value) {
    if (rest_.empty() || !is_digit(rest_.front())) return false;
    std::int64_t unit = microseconds;
    value = 0;
    for (; !rest_.empty() && is_digit(rest_.front()); rest_.remove_prefix(1)) {
      unit /= 10;
      value += unit * (rest_.front() - '0');
    }
    return true;
  }
  [[nodiscard]] char peek() const { return rest_.empty() ? '\0' : rest_.front(); }

 private:
  std::string_view rest_;
};

// Z, ±hh, ±hhmm, ±hh:mm or nothing, up to the end; in minutes east of Greenwich.
std::optional<int> zone(Scanner& in) {
  if (in.at_end()) return 0;
  if (in.take("Zz")) return in.at_end() ? std::optional<int>(0) : std::nullopt;
  const int sign = in.peek() == '-' ? -1 : 1;
  int hours = 0;
  int minutes = 0;
  if (!in.take("+-") || !in.digits(2, hours)) return std::nullopt;
  if (!in.at_end()) {
    in.take(":");
    if (!in.digits(2, minutes)) return std::nullopt;
  }
  if (!in.at_end() || hours > 23 || minutes > 59) return std::nullopt;
  return sign * (60 * hours + minutes);
}

// What follows the day: nothing, or time of day and zone. In microseconds.
std::optional<std::int64_t> time_of_day(Scanner& in) {
  if (in.at_end()) return 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  std::int64_t fraction = 0;
  if (!in.take("Tt ") || !in.digits(2, hour) || !in.take(":") || !in.digits(2, minute)) return std::nullopt;
  if (in.take(":")) {
    if (!in.digits(2, second)) return std::nullopt;
    if (in.take(".,") && !in.fraction(fraction)) return std::nullopt;
  }
  in.take(" ");
  const std::optional<int> east = zone(in);
  if (!east || hour > 24 || minute > 59 || second > 60) return std::nullopt;
  return (std::int64_t{3600} * hour + 60 * (minute - *east) + second) * microseconds + fraction;
}

std::optional<std::int64_t> calendar_date(std::string_view text) {
  Scanner in(text);
  int year = 0;
  int month = 1;
  int day = 1;
  if (!in.digits(4, year)) return std::nullopt;
  std::int64_t time = 0;
  if (!in.at_end()) {
    if (!in.take("-") || !in.digits(2, month)) return std::nullopt;
    if (!in.at_end()) {
      if (!in.take("-") || !in.digits(2, day)) return std::nullopt;
      const auto rest = time_of_day(in);
      if (!rest) return std::nullopt;
      time = *rest;
    }
  }
  const std::chrono::year_month_day date{std::chrono::year{year}, std::chrono::month{static_cast<unsigned>(month)},
                                         std::chrono::day{static_cast<unsigned>(day)}};
  if (!date.ok()) return std::nullopt;
  return std::int64_t{std::chrono::sys_days{date}.time_since_epoch().count()} * 86'400 * microseconds + time;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> parse_date(std::string_view text) {
  text = trimmed(text);
  if (const auto date = calendar_date(text)) return date;
  const std::optional<double> seconds = parse_number(text);
  if (!seconds || std::abs(*seconds) > 9e12) return std::nullopt;
  return std::llround(*seconds * static_cast<double>(microseconds));
}

}  // namespace leitong::cluster
