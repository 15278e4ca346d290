#include "records/json_fields.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <random>

#include "leitong/error.h"
#include "records/string_scan.h"
#include "records/utf8.h"

namespace leitong::records {
namespace {

// A line with slack behind it, as chunks have.
class Line {
 public:
  explicit Line(std::string_view text) : bytes_(text) { bytes_.append(64, '"'); }  // the worst that can follow
  [[nodiscard]] std::string_view view() const { return std::string_view(bytes_).substr(0, bytes_.size() - 64); }

 private:
  std::string bytes_;
};

bool extract(JsonFields& fields, const JsonPaths& paths, const Line& line) { return fields.extract(paths, line.view()); }

std::string unescaped(std::string_view raw) {
  const Line line(raw);
  std::string out(raw.size() + 16, '\0');
  out.resize(unescape_json(line.view(), out.data()));
  return out;
}

TEST(JsonFields, Unescaping) {
  EXPECT_EQ(unescaped("\"\""), "");
  EXPECT_EQ(unescaped(R"("a\"\\\/\b\f\n\r\tz")"), "a\"\\/\b\f\n\r\tz");
  EXPECT_EQ(unescaped(R"("\u0041\u00e9\u96F7\uD83D\uDE00")"), "Aé雷😀");
  EXPECT_EQ(unescaped(R"("\ud800")"), "\xED\xA0\x80");
  EXPECT_EQ(unescaped(R"("\udc00x")"), "\xED\xB0\x80x");
  EXPECT_EQ(unescaped(R"("\ud800\ud83d\ude00")"), "\xED\xA0\x80😀");
  EXPECT_EQ(unescaped(R"("\ud800\n")"), "\xED\xA0\x80\n");
  EXPECT_EQ(unescaped(R"("\ud83d\u0041")"),
            "\xED\xA0\xBD"
            "A");
  EXPECT_EQ(unescaped("\"\\u0000\""), std::string(1, '\0'));
}

TEST(JsonFields, ArraysOnTheWay) {
  const JsonPaths paths(
      {"messages.0.content", "messages.*.content", "messages.1.role", "tags.*", "grid.*.1", "grid.*.*", "a.*", "messages.9"});
  JsonFields fields;
  const Line line(R"({"messages":[{"role":"u","content":"one","content":"again"},{"content":"two","role":"a"},7,[],{"content":null}],)"
                  R"("messages":[{"content":"repeated"}],"tags":["x","y"],"grid":[[1,2],[3,[4]],{"1":5}],"a.*":"literal"})");
  ASSERT_TRUE(extract(fields, paths, line)) << fields.error();
  const auto raws = [&](std::size_t path) {
    std::string all;
    for (const JsonPiece& value : fields.values(path)) all += std::string(value.raw) + ";";
    return all;
  };
  EXPECT_EQ(raws(0), "\"one\";");
  EXPECT_EQ(raws(1), "\"one\";\"two\";null;");
  EXPECT_EQ(raws(2), "\"a\";");
  EXPECT_EQ(raws(3), "\"x\";\"y\";");
  EXPECT_EQ(raws(4), "2;[4];5;");
  EXPECT_EQ(raws(5), "1;2;3;[4];");
  EXPECT_EQ(raws(6), "\"literal\";");
  EXPECT_EQ(fields.values(7).front().kind, JsonKind::missing);
  ASSERT_TRUE(extract(fields, paths, Line(R"({"messages":[],"tags":"no array"})")));
  for (std::size_t path = 0; path < 8; ++path) EXPECT_EQ(fields.values(path).front().kind, JsonKind::missing) << path;
  for (const char* broken : {R"({"messages":[{"content":"a"},]})", R"({"messages":[{"content":"a"})", R"({"messages":[1 2]})"})
    EXPECT_FALSE(extract(fields, paths, Line(broken))) << broken;
  EXPECT_FALSE(extract(fields, JsonPaths({"a.*.*"}), Line("{\"a\":" + std::string(3000, '[') + std::string(3000, ']') + "}")));
}

TEST(JsonFields, ALineThatIsCutOffIsKnown) {
  const std::string whole = R"({"a" : [1.5e-3, true, {"b" : null}], "text" : "x\u00e9\n", "c" : false})";
  const JsonPaths paths({"text", "a.*.b"});
  JsonFields fields;
  for (std::size_t size = 1; size < whole.size(); ++size) {
    ASSERT_FALSE(extract(fields, paths, Line(whole.substr(0, size))));
    EXPECT_TRUE(fields.is_cut_off()) << whole.substr(0, size);
  }
  for (const char* broken : {"{\"a\":1} x", "{\"a\":1,}", "{\"a\" 1}", "{a", "{\"a\":\"\\x", "{\"a\":\"\\ug", "{\"a\":nux"}) {
    ASSERT_FALSE(extract(fields, paths, Line(broken)));
    EXPECT_FALSE(fields.is_cut_off()) << broken;
  }
}

TEST(JsonFields, NamesOfFields) {
  std::vector<std::string> names;
  add_field_names(R"({"id":1,"meta":{"title":"t","tags":["a"]},"messages":[{"role":"u","content":"c"}],"none":[],"id":2})", 10, names);
  EXPECT_EQ(names, (std::vector<std::string>{"id", "meta.title", "meta.tags.*", "messages.*.role", "messages.*.content", "none"}));
  add_field_names(R"({"x":1,"y":2})", 7, names);
  EXPECT_EQ(names.size(), 7U);
}

TEST(JsonFields, EveryCharacterAfterABackslash) {
  const JsonPaths paths({"text"});
  const std::string names = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
  JsonFields fields;
  for (int c = 0; c < 128; ++c) {
    const std::string value = std::string("\"ab\\") + static_cast<char>(c) + "0041 and more than sixteen bytes\"";
    const Line line("{\"text\":" + value + "}");
    const std::size_t found = c == 0 ? std::string::npos : names.find(static_cast<char>(c));
    ASSERT_EQ(extract(fields, paths, line), found != std::string::npos || c == 'u') << c;
    if (found != std::string::npos) {
      EXPECT_EQ(unescaped(value), std::string("ab") + meanings[found] + "0041 and more than sixteen bytes");
    } else if (c != 'u') {
      EXPECT_STREQ(fields.error(), "unknown escape in a string");
      EXPECT_EQ(fields.error_offset(), 11U);
    }
  }
}

TEST(JsonFields, DepthIsLimited) {
  const JsonPaths paths({"text"});
  JsonFields fields;
  const auto nested = [](std::size_t depth, char open, char close) {
    return "{\"text\":\"x\",\"a\":" + std::string(depth, open) + std::string(depth, close) + "}";
  };
  EXPECT_TRUE(extract(fields, paths, Line(nested(1000, '[', ']'))));
  EXPECT_TRUE(extract(fields, paths, Line(nested(1023, '[', ']'))));
  EXPECT_FALSE(extract(fields, paths, Line(nested(1024, '[', ']'))));
  EXPECT_FALSE(extract(fields, paths, Line(nested(1'000'000, '[', ']'))));
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  EXPECT_FALSE(extract(fields, paths, Line(objects)));
  EXPECT_STREQ(fields.error(), "nested too deeply");
  std::string path = "a";
  for (int i = 0; i < 3000; ++i) path += ".a";
  EXPECT_FALSE(extract(fields, JsonPaths({path}), Line(objects)));  // also on the way to a wanted field
  EXPECT_STREQ(fields.error(), "nested too deeply");
}

TEST(JsonFields, PathsAreChecked) {
  EXPECT_THROW(JsonPaths({""}), Error);
  EXPECT_THROW(JsonPaths(std::vector<std::string>(65, "x")), Error);
  const JsonPaths paths(std::vector<std::string>(64, "x.y"));
  JsonFields fields;
  const Line line("{\"x\":{\"y\":[1, 2]}}");
  ASSERT_TRUE(extract(fields, paths, line));
  EXPECT_EQ(fields.value(63).raw, "[1, 2]");
  EXPECT_EQ(fields.value(63).kind, JsonKind::container);
}

TEST(StringScan, VectorEqualsPortable) {
  std::mt19937 random(3);
  for (int round = 0; round < 20000; ++round) {
    const std::size_t size = random() % 80;
    std::string in(size + 64, 'x');
    for (char& c : in) {
      const auto kind = random() % 40;
      c = kind == 0 ? '"' : kind == 1 ? '\\' : kind == 2 ? static_cast<char>(random() % 32) : static_cast<char>(0x20 + random() % 224);
    }
    std::size_t expected = 0;
    while (expected < size && !is_string_special(static_cast<unsigned char>(in[expected]))) ++expected;
    std::string a(size + 64, '\0'), b(size + 64, '\0');
    ASSERT_EQ(plain_run(in.data(), in.data() + size, a.data()), expected);
    ASSERT_EQ(plain_run_portable(in.data(), in.data() + size, b.data()), expected);
    ASSERT_EQ(plain_run(in.data(), in.data() + size, nullptr), expected);
    ASSERT_EQ(a.substr(0, expected), in.substr(0, expected));
    ASSERT_EQ(b.substr(0, expected), in.substr(0, expected));
  }
}

class RandomJson {
 public:
  explicit RandomJson(unsigned seed) : random_(seed) {}
  std::string line() {
    std::string out;
    object(out, 0);
    return out;
  }
  std::string mutate(std::string text) {
    static constexpr std::string_view json_pieces = "{}[]\",:\\u0n1te- .x\x01\xC3\xFF";
    for (auto times = random_() % 3; times > 0 && !text.empty(); --times) {
      const std::size_t at = random_() % text.size();
      switch (random_() % 3) {
        case 0:
          text[at] = json_pieces[random_() % json_pieces.size()];
          break;
        case 1:
          text.erase(at, 1 + random_() % 3);
          break;
        default:
          text.insert(at, 1, json_pieces[random_() % json_pieces.size()]);
      }
    }
    return text;
  }

 private:
  void space(std::string& out) {
    if (random_() % 4 == 0) out += " \t\r "[random_() % 4];
  }
  void string(std::string& out) {
    static const std::vector<std::string> part_list = {
        "a",   "text with words ", "\\n", "\\\"", "\\\\", "\\u0041", "\\u96f7", "雷同", "é", "\\u0000", "\\ud83d\\ude00", "/",
        "\\/", "0123456789abcdef"};
    out += '"';
    for (auto n = random_() % 6; n > 0; --n) out += part_list[random_() % part_list.size()];
    out += '"';
  }
  void value(std::string& out, int depth) {
    static const std::vector<std::string> scalars = {"0", "-1.5e3", "12345678", "true", "false", "null", "1E-2", "-0", "0.25"};
    space(out);
    const auto kind = random_() % (depth > 3 ? 5 : 7);
    if (kind < 3) {
      string(out);
    } else if (kind < 5) {
      out += scalars[random_() % scalars.size()];
    } else if (kind == 5) {
      object(out, depth + 1);
    } else {
      out += '[';
      for (auto n = random_() % 4; n > 0; --n) {
        value(out, depth + 1);
        if (n > 1) out += ',';
      }
      space(out);
      out += ']';
    }
    space(out);
  }
  void object(std::string& out, int depth) {
    static const std::vector<std::string> keys = {"\"text\"", "\"id\"", "\"meta\"", "\"te\\u0078t\"", "\"x\"", "\"meta.text\""};
    space(out);
    out += '{';
    space(out);
    for (auto n = random_() % 5; n > 0; --n) {
      out += keys[random_() % keys.size()];
      space(out);
      out += ':';
      value(out, depth);
      if (n > 1) out += ',';
      space(out);
    }
    out += '}';
  }
  std::mt19937 random_;
};

// simdjson's DOM as the judge of what is JSON, of the first of repeated keys and of what strings mean.
TEST(JsonFields, AgreesWithSimdjson) {
  simdjson::dom::parser judge;
  const JsonPaths paths({"text", "meta.text"});
  JsonFields fields;
  RandomJson random(11);
  int good = 0, bad = 0;
  for (int round = 0; round < 60000; ++round) {
    std::string text = random.line();
    if (round % 2 == 1) text = random.mutate(text);
    if (!valid_utf8(text)) continue;
    const Line line(text);
    const bool ok = extract(fields, paths, line);
    simdjson::dom::element element;
    const auto error = judge.parse(simdjson::padded_string(text)).get(element);
    simdjson::dom::object object;
    const bool judged = error == simdjson::SUCCESS && element.get(object) == simdjson::SUCCESS;
    // simdjson refuses what JSON allows: lone surrogates (only seen when strings are unescaped) and integers beyond 64 bits.
    if (error == simdjson::STRING_ERROR && ok) continue;
    if (error == simdjson::NUMBER_ERROR && ok) continue;
    ASSERT_EQ(ok, judged) << text << "\n" << simdjson::error_message(error) << " / " << (ok ? "" : fields.error());
    (ok ? good : bad) += 1;
    if (!ok) {
      ASSERT_LE(fields.error_offset(), text.size());
      continue;
    }
    std::string_view expected;
    const bool found = object["text"].get(expected) == simdjson::SUCCESS;
    const JsonPiece& value = fields.value(0);
    ASSERT_EQ(value.kind == JsonKind::string, found) << text;
    if (found) {
      ASSERT_EQ(unescaped(value.raw), expected) << text;
      ASSERT_EQ(value.escaped, value.raw.find('\\') != std::string::npos);
    }
  }
  EXPECT_GT(good, 25000);
  EXPECT_GT(bad, 5000);
}

}  // namespace
}  // namespace leitong::records
