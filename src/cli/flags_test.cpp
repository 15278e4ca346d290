#include "cli/flags.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>

#include "cli/help.h"
#include "cli/parse.h"
#include "leitong/dedup.h"

namespace leitong::cli {
namespace {

TEST(Flags, TableIsSound) {
  for (const Flag& flag : flags()) {
    SCOPED_TRACE(flag.name);
    EXPECT_NE(flag.commands, 0U);
    EXPECT_EQ(flag.required & ~flag.commands, 0U);
    EXPECT_NE(flag.set, nullptr);
    EXPECT_EQ(flag.kind == Kind::boolean, *flag.argument == '\0');
    EXPECT_EQ(flag.kind == Kind::choice, *flag.choices != '\0');
    EXPECT_EQ(canonical_name(flag.name), flag.name);
    const std::string_view help = flag.help;
    EXPECT_FALSE(help.empty() || help.ends_with('.'));
  }
}

// Every spelling of a flag, and its example if it takes an argument.
std::vector<std::vector<std::string>> spellings(const Flag& flag) {
  std::vector<std::string> names{"--" + std::string(flag.name)};
  for (const std::string_view alias : split_words(flag.aliases)) names.push_back("--" + std::string(alias));
  for (std::string name : std::vector(names)) {
    std::replace(name.begin() + 2, name.end(), '-', '_');
    names.push_back(name);
  }
  if (flag.letter != 0) names.push_back(std::string("-") + flag.letter);
  std::vector<std::vector<std::string>> out;
  for (const std::string& name : names)
    out.push_back(flag.kind == Kind::boolean ? std::vector{name} : std::vector{name, std::string(flag.example)});
  return out;
}

std::vector<std::string> words_of(const CommandInfo& info) {
  std::vector<std::string> words;
  for (const std::string_view word : split_words(info.name)) words.emplace_back(word);
  return words;
}

TEST(Flags, EachIsTakenAsItsEntrySays) {
  for (const Flag& flag : flags()) {
    SCOPED_TRACE(flag.name);
    ASSERT_NE(flag.took, nullptr);
    EXPECT_EQ(*flag.example == '\0', flag.kind == Kind::boolean);
    EXPECT_FALSE(flag.took(Settings())) << "the example is the default";
    for (const CommandInfo& info : commands()) {
      if ((flag.commands & info.command) == 0) continue;
      for (const std::vector<std::string>& spelling : spellings(flag)) {
        std::vector<std::string> words = words_of(info);
        words.insert(words.end(), spelling.begin(), spelling.end());
        words.push_back("--help");  // so that nothing else is required
        EXPECT_TRUE(flag.took(parse(words).settings)) << info.name << " " << spelling[0];
      }
    }
  }
}

TEST(Flags, ThoseOfOneCommandStandWithIt) {
  for (const CommandInfo& info : commands())
    for (const Flag& flag : info.own_flags) {
      SCOPED_TRACE(std::string(info.name) + " " + flag.name);
      EXPECT_EQ(flag.commands, 0U) << "flags() fills it in";
      if (*flag.before == '\0') continue;
      const Flag* next = find_flag(flag.before, info.command);
      ASSERT_NE(next, nullptr);
      EXPECT_TRUE((next->commands & info.command) != 0 && next->group == flag.group) << flag.before;
    }
  for (const Flag& flag : flags()) {
    bool own = false;
    for (const CommandInfo& info : commands())
      for (const Flag& one : info.own_flags) own = own || (flag.commands == info.command && flag.set == one.set);
    EXPECT_EQ(own, std::has_single_bit(flag.commands)) << flag.name;
  }
}

TEST(Flags, NamesAndLettersAreUniqueInACommand) {
  for (const CommandInfo& info : commands()) {
    std::set<std::string> names;
    for (const Flag& flag : flags()) {
      if ((flag.commands & info.command) == 0) continue;
      EXPECT_TRUE(names.insert(flag.name).second) << info.name << " " << flag.name;
      for (const std::string_view alias : split_words(flag.aliases))
        EXPECT_TRUE(names.insert(std::string(alias)).second) << info.name << " " << alias;
      if (flag.letter == 0 || std::string(1, flag.letter) == flag.name) continue;
      EXPECT_TRUE(names.insert(std::string(1, flag.letter)).second) << info.name << " -" << flag.letter;
    }
  }
}

TEST(Flags, WrittenDefaultsAreTheDefaults) {
  Settings set_by_default_text;
  const Settings untouched;
  for (const Flag& flag : flags()) {
    const std::string_view fallback = flag.fallback;
    if (fallback.empty() || fallback.find(' ') != std::string_view::npos) continue;  // words, e.g. "all cores"
    flag.set(set_by_default_text, check_value(flag, fallback, flag.name));
  }
  EXPECT_EQ(set_by_default_text.input.format, untouched.input.format);
  EXPECT_EQ(set_by_default_text.input.text_field, untouched.input.text_field);
  EXPECT_EQ(set_by_default_text.input.id_field, untouched.input.id_field);
  EXPECT_EQ(set_by_default_text.input.max_document_bytes, untouched.input.max_document_bytes);
  EXPECT_EQ(set_by_default_text.input.max_expansion, untouched.input.max_expansion);
  EXPECT_EQ(set_by_default_text.match.verify, untouched.match.verify);
  EXPECT_EQ(set_by_default_text.match.keep, DedupOptions{}.keep);
  EXPECT_EQ(set_by_default_text.output.annotate_key, DedupOptions{}.annotate_key);
  EXPECT_EQ(set_by_default_text.match.giant_cluster, DedupOptions{}.giant_cluster);
  EXPECT_EQ(set_by_default_text.face.context, untouched.face.context);
  EXPECT_EQ(untouched.match.verify, DedupOptions{}.verify);
}

TEST(Help, NamesEveryFlagAndFitsTheWidth) {
  for (const CommandInfo& info : commands()) {
    for (const unsigned width : {80U, 100U}) {
      const std::string help = command_help(info, width);
      for (const Flag& flag : flags())
        EXPECT_TRUE((flag.commands & info.command) == 0 || help.find(flag_spelling(flag)) != std::string::npos)
            << info.name << " " << flag.name;
      const std::string examples = info.examples;
      for (std::size_t at = 0; at < help.size();) {
        const std::size_t end = help.find('\n', at);
        const std::string line = help.substr(at, end - at);
        const bool verbatim = line.starts_with("Usage:") || (line.size() > 2 && examples.find(line.substr(2)) != std::string::npos);
        EXPECT_TRUE(verbatim || line.size() <= width) << info.name << ": " << line;
        at = end + 1;
      }
    }
  }
  for (const CommandInfo& info : commands()) {
    const std::string list = action_name(info).empty() ? general_help(200) : command_help(command_info(cmd_collection), 200);
    EXPECT_NE(list.find(info.purpose), std::string::npos) << info.name;
  }
}

TEST(Commands, EachHasABitAndANameOfItsOwn) {
  Commands seen = 0;
  for (const CommandInfo& info : commands()) {
    EXPECT_EQ(seen & info.command, 0U) << info.name;
    seen |= info.command;
    EXPECT_EQ(find_command(info.name), &info);
    EXPECT_EQ(&command_info(info.command), &info);
    EXPECT_TRUE(actions(info).empty() || action_name(info).empty()) << info.name;
    EXPECT_EQ(info.run == nullptr, !actions(info).empty()) << info.name;
    EXPECT_EQ(action_name(info).empty(), std::string_view(info.name).find(' ') == std::string_view::npos) << info.name;
  }
  EXPECT_EQ(seen, cmd_all);
  EXPECT_EQ(actions(command_info(cmd_collection)).size(), 14U);
  EXPECT_TRUE(actions(command_info(cmd_data)).empty());
}

TEST(Help, Wraps) {
  EXPECT_EQ(wrapped("one two three", 2, 10), "  one two\n  three\n");
  EXPECT_EQ(wrapped("one\n\ntwo three", 0, 9), "one\n\ntwo three\n");
  EXPECT_EQ(wrapped("unbreakable-word", 0, 5), "unbreakable-word\n");
}

TEST(Man, NamesEveryCommandAndFlag) {
  const std::string page = man_page("1.2.3");
  EXPECT_NE(page.find("leitong 1.2.3"), std::string::npos);
  for (const CommandInfo& info : commands()) EXPECT_NE(page.find(".SS leitong " + std::string(info.name)), std::string::npos);
  for (const Flag& flag : flags()) {
    std::string name;
    for (const char c : std::string_view(flag.name)) name += c == '-' ? std::string("\\-") : std::string(1, c);
    EXPECT_NE(page.find(flag.name[1] == '\0' ? "\\fB\\-" + name : "\\-\\-" + name), std::string::npos) << flag.name;
  }
  for (std::size_t at = page.find("\n'"); at != std::string::npos; at = page.find("\n'", at + 1))
    ADD_FAILURE() << "a line that roff takes for a request";
}

TEST(Completions, NameEveryCommandAndLongFlag) {
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string script = completions(shell);
    for (const CommandInfo& info : commands()) EXPECT_NE(script.find(info.name), std::string::npos) << shell << " " << info.name;
    for (const Flag& flag : flags())
      EXPECT_NE(script.find(std::string(std::string_view(shell) == "fish" ? (flag.name[1] ? "-l " : "-s ")
                                        : flag.name[1]                    ? "--"
                                                                          : "-") +
                            flag.name),
                std::string::npos)
          << shell << " " << flag.name;
  }
  EXPECT_ANY_THROW((void)completions("csh"));
}

}  // namespace
}  // namespace leitong::cli
