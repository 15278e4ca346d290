#include "redis/redis_inspect.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "leitong/error.h"
#include "net/printable.h"
#include "redis/redis_buckets.h"
#include "redis/redis_layout.h"
#include "redis/redis_map.h"
#include "redis/redis_store.h"
#include "redis/redis_walk.h"
#include "remote/layout_reader.h"

namespace leitong::redis {
namespace {

constexpr std::size_t rows_to_try = 12, rows_to_count = 64, keys_to_read = 64, members_to_read = 4'096, most_others = 8;
constexpr double enough = 0.9;  // least share of what a layout predicts that must exist; not all, since others may write meanwhile

// The separators that programs put between the parts of keys and members, and between members. Forms with the opposite bit order are not
// tried: they describe the same store with the bits reversed, and are reported as a doubt.
constexpr std::array<std::string_view, 9> part_separators = {":", "_", "-", "|", "/", ".", "#", ",", ""};
constexpr std::array<std::string_view, 6> member_separators = {",", ";", "|", " ", "\n", "\t"};
constexpr std::array tried_forms = {WrittenForm::bits_most_first, WrittenForm::hex, WrittenForm::decimal, WrittenForm::signed_decimal};
constexpr std::array tried_digits = {remote::Digits::bits, remote::Digits::hex, remote::Digits::hex_short, remote::Digits::decimal};

struct Row {
  std::string id;
  std::uint64_t fingerprint = 0;
};

// A group of keys of one type that begin alike.
struct Group {
  std::string head;
  std::vector<std::string> keys;                 // without the store's prefix
  std::vector<std::vector<std::string>> values;  // of the first keys: the members, the text, or fields and values
};

struct Sample {
  std::size_t keys = 0;
  bool has_record = false;
  std::map<std::string, std::vector<Group>> groups;  // by type, the largest first
};

// A layout that may be the store's, and the rows read by it.
struct Candidate {
  RedisLayout layout;
  std::vector<Row> rows;
  std::size_t there = 0, asked = 0;
  [[nodiscard]] double share() const { return asked == 0 ? 0 : static_cast<double>(there) / static_cast<double>(asked); }
};

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }
bool is_word(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out.append(c == '{' || c == '}' ? 2 : 1, c);
  return out;
}

// The beginning of a key: "fp:" for "fp:17", "k:" for "k3:0101"; empty for "3:0101", because its beginning may be a position or a block.
std::string head_of(std::string_view key) {
  for (std::size_t i = 0; i < key.size(); ++i) {
    if (is_word(key[i])) continue;
    std::string head(key.substr(0, i + 1));
    if (std::all_of(head.begin(), head.end() - 1, is_hex)) return "";
    std::erase_if(head, [](char c) { return c >= '0' && c <= '9'; });
    return head;
  }
  return "";
}

// The beginnings (or, if `ends`, the endings) that all texts share, cut at characters that are not letters or digits; includes the empty
// one.
std::vector<std::string> common_ends(const std::vector<std::string>& texts, bool ends) {
  std::string common = texts.front();
  for (const std::string& text : texts) {
    std::size_t size = 0;
    const std::size_t most = std::min(common.size(), text.size());
    const auto at = [&](const std::string& of, std::size_t i) { return ends ? of[of.size() - 1 - i] : of[i]; };
    while (size < most && at(common, size) == at(text, size)) ++size;
    common = ends ? common.substr(common.size() - size) : common.substr(0, size);
  }
  std::vector<std::string> all = {""};
  for (std::size_t i = 0; i < common.size(); ++i) {
    const std::size_t place = ends ? common.size() - 1 - i : i;
    const bool cut = !is_word(common[place]) ||
                     (!ends && !is_hex(common[place]) && place + 1 < texts.front().size() && is_hex(texts.front()[place + 1]));
    if (cut && all.size() < 5) all.push_back(ends ? common.substr(place) : common.substr(0, place + 1));
  }
  return all;
}

std::optional<std::uint64_t> read_form(std::string_view text, WrittenForm form) {
  if (text.starts_with("0x")) return std::nullopt;
  const auto read = read_written(text, form, 64);
  return read ? std::optional(read->words[0]) : std::nullopt;
}

// The forms in which all texts can be read as fingerprints.
std::vector<WrittenForm> forms_of(const std::vector<std::string_view>& texts) {
  std::vector<WrittenForm> forms;
  for (const WrittenForm form : tried_forms) {
    if (!texts.empty() &&
        std::all_of(texts.begin(), texts.end(), [&](std::string_view text) { return read_form(text, form).has_value(); })) {
      forms.push_back(form);
    }
  }
  return forms;
}

class Inspector {
 public:
  Inspector(Redis& redis, const RedisSettings& settings, const std::string& prefix, std::size_t sample)
      : redis_(redis), settings_(settings), prefix_(prefix), most_(std::max<std::size_t>(sample, 16)) {}

  remote::Inspection run() {
    take_sample();
    if (sample_.has_record) tell("{} holds a record of Leitong", net::printable(prefix_ + std::string(record_key), 64));
    if (sample_.keys == 0) {
      tell("there is no key under the prefix \"{}\"", net::printable(prefix_, 64));
      return result_;
    }
    for (const auto& [type, groups] : sample_.groups) {
      for (const Group& group : groups) {
        if (group.keys.size() * 50 >= sample_.keys)
          tell("{} keys of type {} like {}", group.keys.size(), type, net::printable(group.keys.front(), 80));
      }
    }
    std::vector<Candidate> candidates = all_candidates();
    tell("{} layouts were tried with up to {} rows each", candidates.size(), rows_to_try);
    for (Candidate& candidate : candidates) count(candidate, rows_to_try);
    std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) { return a.share() > b.share(); });
    conclude(candidates);
    return result_;
  }

 private:
  template <class... Values>
  void tell(fmt::format_string<Values...> format, Values&&... values) {
    result_.evidence.push_back(fmt::format(format, std::forward<Values>(values)...));
  }

  // A hash with all ids is a single key among those of all blocks, and a sample would miss it. So hashes are searched for separately.
  void add_hashes(std::vector<std::string>& keys) {
    constexpr std::size_t most_hashes = 16, most_steps = 200, keys_a_step = 10'000;
    const KeyWalk walk{glob_escaped(prefix_) + "*", "hash", settings_.cluster, settings_.retry};
    std::size_t found = 0, steps = 0;
    std::string place;
    do {
      place = walk.step(redis_, place, keys_a_step, [&](const std::vector<std::string>& some) {
        for (const std::string& key : some) {
          if (!key.starts_with(prefix_) || found == most_hashes) continue;
          ++found;
          const std::string own = key.substr(prefix_.size());
          if (!is_own_key(own) && std::find(keys.begin(), keys.end(), own) == keys.end()) keys.push_back(own);
        }
      });
    } while (!place.empty() && found < most_hashes && ++steps < most_steps);
  }

  void take_sample() {
    std::vector<std::string> keys;
    const KeyWalk walk{glob_escaped(prefix_) + "*", "", settings_.cluster, settings_.retry};
    std::string place;
    // A node returns keys in the order of their hashes, which is as good as a random sample. In a cluster one node is enough.
    do {
      place = walk.step(redis_, place, std::min<std::size_t>(most_, 1'000), [&](const std::vector<std::string>& some) {
        for (const std::string& key : some) {
          if (!key.starts_with(prefix_)) continue;
          const std::string own = key.substr(prefix_.size());
          if (!is_own_key(own) && keys.size() < most_) keys.push_back(own);
        }
      });
    } while (!place.empty() && keys.size() < most_);
    sample_.keys = keys.size();
    add_hashes(keys);
    Commands record;
    record.add({"EXISTS", prefix_ + std::string(record_key)}, Repeat::harmless);
    sample_.has_record = redis_.run(record)[0].integer() == 1;
    Commands types;
    for (const std::string& key : keys) types.add({"TYPE", prefix_ + key}, Repeat::harmless);
    const Replies replies = redis_.run(types);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      std::vector<Group>& groups = sample_.groups[std::string(replies[i].text())];
      const std::string head = head_of(keys[i]);
      auto at = std::find_if(groups.begin(), groups.end(), [&](const Group& group) { return group.head == head; });
      if (at == groups.end()) at = groups.insert(at, {head, {}, {}});
      at->keys.push_back(keys[i]);
    }
    for (auto& [type, groups] : sample_.groups) {
      std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) { return a.keys.size() > b.keys.size(); });
      for (Group& group : groups) read_values(type, group);
    }
  }

  void read_values(const std::string& type, Group& group) {
    Commands batch;
    const std::string most = std::to_string(members_to_read);
    for (std::size_t i = 0; i < std::min(group.keys.size(), keys_to_read); ++i) {
      const std::string key = prefix_ + group.keys[i];
      if (type == "set") batch.add({"SSCAN", key, "0", "COUNT", "64"}, Repeat::harmless);
      if (type == "list") batch.add({"LRANGE", key, "0", "63"}, Repeat::harmless);
      if (type == "string") batch.add({"GETRANGE", key, "0", most}, Repeat::harmless);
      if (type == "hash") batch.add({"HSCAN", key, "0", "COUNT", "64"}, Repeat::harmless);
    }
    const Replies replies = redis_.run(batch);
    for (std::size_t i = 0; i < replies.size(); ++i) {
      std::vector<std::string>& values = group.values.emplace_back();
      if (type == "string") {
        values.emplace_back(replies[i].text());
        continue;
      }
      const Reply list = type == "list" ? replies[i] : read_scan(replies[i]).found;
      for (const Reply& member : list) values.emplace_back(member.text());
    }
  }

  // Adds the maps from ids to fingerprints that are possible, each as the beginning of a layout.
  void add_maps(std::vector<Candidate>& out) const {
    if (const auto strings = sample_.groups.find("string"); strings != sample_.groups.end()) {
      for (const Group& group : strings->second) add_string_maps(group, out);
    }
    if (const auto hashes = sample_.groups.find("hash"); hashes != sample_.groups.end()) {
      for (const Group& group : hashes->second) {
        for (std::size_t key = 0; key < group.values.size(); ++key) add_hash_map(group.keys[key], group.values[key], out);
      }
    }
    out.push_back({});  // or there is no map
    out.back().layout.map = MapKind::none;
  }

  void add_string_maps(const Group& group, std::vector<Candidate>& out) const {
    // Strings of buckets may be among the values, so values that cannot be fingerprints are left out.
    std::vector<std::string> keys;
    std::vector<std::string_view> values;
    for (std::size_t i = 0; i < group.values.size(); ++i) {
      const std::string& value = group.values[i].front();
      if (forms_of({value}).empty()) continue;
      keys.push_back(group.keys[i]);
      values.emplace_back(value);
    }
    if (keys.empty() || keys.size() * 2 < group.values.size()) return;
    for (const WrittenForm form : forms_of(values)) {
      for (const std::string& before : common_ends(keys, false)) {
        for (const std::string& after : common_ends(keys, true)) {
          Candidate one;
          one.layout.map = MapKind::string;
          one.layout.fingerprint = form;
          one.layout.map_key = remote::Pattern(escaped(before) + "{id}" + escaped(after));
          for (std::size_t i = 0; i < keys.size(); ++i) {
            const auto fields = one.layout.map_key.match(keys[i]);
            if (fields) one.rows.push_back({std::string(fields->id), *read_form(values[i], form)});
          }
          out.push_back(std::move(one));
        }
      }
    }
  }

  static void add_hash_map(const std::string& key, const std::vector<std::string>& pairs, std::vector<Candidate>& out) {
    std::vector<std::string_view> values;
    for (std::size_t i = 1; i < pairs.size(); i += 2) values.emplace_back(pairs[i]);
    for (const WrittenForm form : forms_of(values)) {
      Candidate one;
      one.layout.map = MapKind::hash;
      one.layout.map_key = remote::Pattern(escaped(key));
      one.layout.fingerprint = form;
      for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) one.rows.push_back({pairs[i], *read_form(pairs[i + 1], form)});
      out.push_back(std::move(one));
    }
  }

  // Adds the possible forms of members. Without a map, members must contain the fingerprint, and the rows are read from them.
  static void add_members(const Candidate& map, const std::vector<std::string>& members, std::vector<Candidate>& out) {
    if (map.layout.map != MapKind::none) {
      Candidate one = map;
      one.layout.member = remote::Pattern("{id}");
      out.push_back(std::move(one));
    }
    std::vector<std::string> patterns = {"{fingerprint}"};
    for (const std::string_view separator : part_separators) {
      if (separator.empty()) continue;
      patterns.push_back("{id}" + std::string(separator) + "{fingerprint}");
      patterns.push_back("{fingerprint}" + std::string(separator) + "{id}");
    }
    for (const std::string& text : patterns) {
      const remote::Pattern pattern(text);
      std::vector<std::string_view> written;
      for (const std::string& member : members) {
        const auto fields = pattern.match(member);
        if (!fields) break;
        written.push_back(fields->fingerprint);
      }
      if (written.size() != members.size() || (map.layout.map != MapKind::none && !pattern.has_id())) continue;
      for (const WrittenForm form : forms_of(written)) {
        if (map.layout.map != MapKind::none && form != map.layout.fingerprint) continue;
        Candidate one = map;
        one.layout.member = pattern;
        one.layout.fingerprint = form;
        for (std::size_t i = 0; i < members.size() && map.layout.map == MapKind::none; ++i) {
          one.rows.push_back({pattern.has_id() ? std::string(pattern.match(members[i])->id) : members[i], *read_form(written[i], form)});
        }
        out.push_back(std::move(one));
      }
    }
  }

  // Adds the possible forms of keys of blocks for this group.
  static void add_keys(const Group& group, std::vector<RedisLayout>& out) {
    std::vector<std::string> keys(group.keys.begin(), group.keys.begin() + static_cast<std::ptrdiff_t>(group.values.size()));
    for (const std::string& literal : common_ends(keys, false)) {
      std::vector<std::string> patterns = {"{block}"};
      for (const std::string_view separator : part_separators) {
        patterns.push_back("{position}" + std::string(separator) + "{block}");
        patterns.push_back("{block}" + std::string(separator) + "{position}");
      }
      for (const std::string& pattern : patterns) {
        for (const remote::Digits digits : tried_digits) add_widths(escaped(literal) + pattern, digits, keys, out);
      }
    }
  }

  static void add_widths(const std::string& pattern, remote::Digits digits, const std::vector<std::string>& keys,
                         std::vector<RedisLayout>& out) {
    RedisLayout layout;
    layout.key = remote::Pattern(pattern);
    layout.form.digits = digits;
    for (layout.form.blocks = remote::least_blocks; layout.form.blocks <= remote::most_blocks; ++layout.form.blocks) {
      for (const unsigned first : {0U, 1U}) {
        layout.form.first = first;
        if ((first == 0 || layout.key.has_position()) && fits(layout, keys)) out.push_back(layout);
      }
    }
  }

  // Whether nearly all keys have this form and the widest block needs the full width; numbers without leading zeros would also fit wider
  // blocks.
  static bool fits(const RedisLayout& layout, const std::vector<std::string>& keys) {
    const RedisBuckets buckets(layout, "", false);
    std::size_t wrong = 0;
    std::uint64_t largest = 0;
    for (const std::string& key : keys) {
      const auto place = buckets.place_of(key);
      if (!place && ++wrong * 10 > keys.size()) return false;
      if (place) largest = std::max(largest, place->bits);
    }
    if (layout.form.digits == remote::Digits::bits || layout.form.digits == remote::Digits::hex) return true;
    const unsigned width = remote::block_width(layout.form, layout.form.blocks - 1);
    return width <= 6 || largest >> (width - 6) != 0;
  }

  std::vector<Candidate> all_candidates() const {
    std::vector<Candidate> maps, out;
    add_maps(maps);
    for (const Container container : {Container::set, Container::list, Container::string}) {
      const auto groups = sample_.groups.find(container == Container::set ? "set" : container == Container::list ? "list" : "string");
      if (groups == sample_.groups.end()) continue;
      for (const Group& group : groups->second) add_buckets(container, group, maps, out);
    }
    std::set<std::string> known;
    std::erase_if(out, [&](const Candidate& one) { return one.rows.empty() || !known.insert(to_json(one.layout)).second; });
    return out;
  }

  static void add_buckets(Container container, const Group& group, const std::vector<Candidate>& maps, std::vector<Candidate>& out) {
    std::vector<RedisLayout> keys;
    add_keys(group, keys);
    if (keys.empty()) return;
    for (const std::string_view separator : member_separators) {
      std::vector<std::string> members;
      for (const std::vector<std::string>& values : group.values) {
        for (const std::string& value : values) split(value, container == Container::string ? separator : "", members);
      }
      if (members.empty()) continue;
      std::vector<Candidate> with_members;
      for (const Candidate& map : maps) add_members(map, members, with_members);
      for (const Candidate& candidate : with_members) {
        for (const RedisLayout& key : keys) add_orders(container, separator, candidate, key, out);
      }
      if (container != Container::string) return;
    }
  }

  static void split(std::string_view text, std::string_view separator, std::vector<std::string>& out) {
    for (;;) {
      const std::size_t end = separator.empty() ? std::string_view::npos : text.find(separator);
      const std::string_view part = text.substr(0, end);
      if (!part.empty() && out.size() < 256) out.emplace_back(part);
      if (end == std::string_view::npos) return;
      text.remove_prefix(end + separator.size());
    }
  }

  static void add_orders(Container container, std::string_view separator, const Candidate& candidate, const RedisLayout& key,
                         std::vector<Candidate>& out) {
    // Without positions, and with blocks of the same width, the order of the blocks makes no difference.
    const bool ordered = key.key.has_position() || 64 % key.form.blocks != 0;
    for (const bool least_first : {false, true}) {
      for (const bool reversed : {false, true}) {
        if (least_first && !ordered) continue;
        Candidate one = candidate;
        one.layout.key = key.key;
        one.layout.form = key.form;
        one.layout.form.least_first = least_first;
        one.layout.form.reversed = reversed;
        one.layout.container = container;
        one.layout.separator = separator;
        out.push_back(std::move(one));
      }
    }
  }

  // Counts how many of the members that the layout predicts exist.
  void count(Candidate& candidate, std::size_t most) {
    const RedisLayout& layout = candidate.layout;
    const RedisBuckets buckets(layout, prefix_, false);
    std::vector<BucketEntry> entries;
    candidate.there = candidate.asked = 0;
    const std::size_t rows = std::min(most, candidate.rows.size());
    for (std::size_t i = 0; i < rows; ++i) {
      const Row& row = candidate.rows[i * candidate.rows.size() / rows];
      try {
        buckets.append_entries({row.id, row.fingerprint}, 0, entries);
      } catch (const Error&) {
        ++candidate.asked;  // the layout cannot store this id
      }
    }
    Commands batch;
    for (const BucketEntry& entry : entries) {
      if (layout.container == Container::set) batch.add({"SISMEMBER", entry.key, entry.member}, Repeat::harmless);
      if (layout.container == Container::list) batch.add({"LPOS", entry.key, entry.member}, Repeat::harmless);
      if (layout.container == Container::string) batch.add({"GET", entry.key}, Repeat::harmless);
    }
    candidate.asked += entries.size();
    const Replies replies = run_tolerant(batch);
    for (std::size_t i = 0; i < replies.size(); ++i) candidate.there += holds(layout, replies[i], entries[i].member) ? 1 : 0;
  }

  // A wrong guess may read a key of another type; that error is an answer here.
  Replies run_tolerant(const Commands& batch) {
    try {
      return redis_.run(batch);
    } catch (const net::Refusal& refusal) {
      if (std::string_view(refusal.what()).find("WRONGTYPE") == std::string_view::npos) throw;
      return Replies(0);
    }
  }

  static bool holds(const RedisLayout& layout, const Reply& reply, const std::string& member) {
    if (reply.is_nil() || reply.is_error()) return false;
    if (layout.container == Container::set) return reply.integer() == 1;
    if (layout.container == Container::list) return true;
    const std::string text = layout.separator + std::string(reply.text()) + layout.separator;
    return text.find(layout.separator + member + layout.separator) != std::string::npos;
  }

  void conclude(std::vector<Candidate>& candidates) {
    if (candidates.empty() || candidates.front().share() < enough) {
      tell("none fits: {}",
           candidates.empty()
               ? "no keys look like blocks of a fingerprint of 64 bits whose members are fingerprints, or ids that lead to one"
               : fmt::format("the best one explains {} of {} members that it says are there", candidates.front().there,
                             candidates.front().asked));
      return;
    }
    Candidate& best = candidates.front();
    const double share = best.share();
    std::vector<std::string> others;
    count(best, rows_to_count);
    name(best.layout);
    result_.layout = to_json(best.layout);
    add_readings(best.layout);
    for (std::size_t i = 1; i < candidates.size() && candidates[i].share() >= share; ++i) {
      if (others.size() == most_others) break;
      count(candidates[i], rows_to_count);
      if (candidates[i].share() < best.share()) continue;
      others.push_back(to_json(candidates[i].layout));
      add_readings(candidates[i].layout);
    }
    tell("of {} rows, {} of {} members are in the buckets where this layout says", std::min(rows_to_count, best.rows.size()), best.there,
         best.asked);
    if (best.share() < 1)
      result_.doubts.push_back("not everything that the layout says is there: were rows removed in part, or is somebody writing?");
    for (const std::string& other : others) result_.doubts.push_back("the sample fits this layout as well: " + other);
    doubt_order(best.layout);
  }

  void doubt_order(const RedisLayout& layout) {
    result_.doubts.push_back(fmt::format(
        "a store does not tell which end of a fingerprint is the most significant: if the program that wrote it writes the least "
        "significant bit first, the same store is {{\"fingerprint\":\"{}\",\"least_first\":{},\"reversed\":{}}} besides",
        layout.fingerprint == WrittenForm::bits_most_first ? "bits-least-first" : "reversed-" + written_name(layout),
        !layout.form.least_first, !layout.form.reversed));
    if (!layout.key.has_position())
      result_.doubts.push_back("keys have no positions: equal blocks at different places share a key, which costs time and no matches");
  }

  void add_readings(const RedisLayout& layout) {
    for (const RedisLayout& one : {layout, mirrored(layout)}) result_.readings.push_back({to_json(one), one.fingerprint});
  }

  // The layout with the same keys and values for fingerprints with reversed bits.
  static RedisLayout mirrored(RedisLayout layout) {
    layout.fingerprint = remote::mirror_of(layout.fingerprint);
    layout.form.least_first = !layout.form.least_first;
    layout.form.reversed = !layout.form.reversed;
    name(layout);
    return layout;
  }

  static std::string written_name(const RedisLayout& layout) {
    return layout.fingerprint == WrittenForm::hex ? "hex" : layout.fingerprint == WrittenForm::decimal ? "decimal" : "signed-decimal";
  }

  // Sets the name if the layout is a preset.
  static void name(RedisLayout& layout) {
    for (const char* preset : {"article-plain", "article-positioned"}) {
      RedisLayout one = redis_preset(preset, layout.form.blocks - 1);
      layout.name = one.name;
      if (to_json(one) == to_json(layout)) return;
    }
    layout.name = "custom";
  }

  Redis& redis_;
  const RedisSettings& settings_;
  std::string prefix_;
  std::size_t most_;
  Sample sample_;
  remote::Inspection result_;
};

}  // namespace

remote::Inspection inspect_redis(Redis& redis, const RedisSettings& settings, const std::string& prefix, std::size_t sample) {
  return Inspector(redis, settings, prefix, sample).run();
}

}  // namespace leitong::redis
