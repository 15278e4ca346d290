#include "cli/help.h"

#include <algorithm>

#include "cli/flag_tables.h"
#include "cli/unread.h"

namespace leitong::cli {
namespace {

constexpr unsigned text_column = 26;  // where the explanations of flags begin

std::string flag_lines(const Flag& flag, unsigned width) {
  std::string head = (flag.letter == 0 && flag.name[1] != '\0' ? "      " : "  ") + flag_spelling(flag);
  std::string text = wrapped(flag_text(flag), text_column, width);
  if (head.size() + 2 > text_column) return head + "\n" + text;
  head.resize(text_column, ' ');
  return head + text.substr(text_column);
}

std::string lines_of(std::string_view text, std::string_view indent) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += std::string(indent) + std::string(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// A line of a list of commands, or of actions.
std::string named_purpose(std::string_view name, std::string_view purpose, unsigned width) {
  constexpr unsigned column = 16;
  std::string head = "  " + std::string(name);
  head.resize(column, ' ');
  return head + wrapped(purpose, column, width).substr(column);
}

std::string action_lines(const CommandInfo& info, unsigned width) {
  std::string out;
  for (const CommandInfo* action : actions(info)) out += named_purpose(action_name(*action), action->purpose, width);
  return out.empty() ? out : "\nActions (leitong " + std::string(info.name) + " ACTION --help explains one):\n" + out;
}

// Its own, and in its place the one of all commands that read records.
std::string exit_codes_of(const CommandInfo& info) {
  std::string codes = info.exit_codes;
  if (((reads_input | cmd_apply) & info.command) == 0) return codes;
  const std::size_t at = codes.find("\n130");
  return codes.insert(std::min(at, codes.size()), std::string("\n") + exit_unread_line);
}

}  // namespace

std::string flag_spelling(const Flag& flag) {
  std::string out;
  if (flag.letter != 0) out = std::string("-") + flag.letter;
  if (flag.name[1] != '\0') out += (out.empty() ? "--" : ", --") + std::string(flag.name);  // -k has no long name
  if (*flag.argument != '\0') out += " " + std::string(flag.argument);
  return out;
}

std::string flag_text(const Flag& flag) {
  std::string out = flag.help;
  if (flag.kind == Kind::choice) {
    out += " [one of:";
    for (const std::string_view choice : split_words(flag.choices)) out += (out.back() == ':' ? " " : ", ") + std::string(choice);
    out += "]";
  }
  if (*flag.fallback != '\0') out += " [default: " + std::string(flag.fallback) + "]";
  if (*flag.aliases != '\0') {
    out += " [also:";
    for (const std::string_view alias : split_words(flag.aliases)) out += (out.back() == ':' ? " --" : ", --") + std::string(alias);
    out += "]";
  }
  return out;
}

std::string wrapped(std::string_view text, unsigned indent, unsigned width) {
  const std::string margin(indent, ' ');
  std::string out, line;
  const auto end_line = [&] {
    if (!line.empty()) out += margin + line + "\n";
    line.clear();
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    if (!line.empty() && indent + line.size() + 1 + word.size() > width) end_line();
    if (!word.empty()) line += (line.empty() ? "" : " ") + std::string(word);
    const bool paragraph = text.substr(end).starts_with("\n\n");
    if (paragraph) {
      end_line();
      out += "\n";
    }
    text.remove_prefix(std::min(end + (paragraph ? 2 : 1), text.size()));
  }
  end_line();
  return out;
}

std::string command_help(const CommandInfo& info, unsigned width) {
  const std::string call = std::string("leitong ") + info.name;
  std::string out = wrapped(call + ": " + info.purpose, 0, width) + "\n";
  out += "Usage: " + call + (*info.usage == '\0' ? "" : " ") + info.usage + "\n\n";
  out += wrapped(info.description, 0, width);
  out += action_lines(info, width);
  if (*info.examples != '\0') out += "\nExamples:\n" + lines_of(info.examples, "  ");
  for (const Group group : all_groups) {
    std::string lines;
    for (const Flag& flag : flags())
      if (flag.group == group && (flag.commands & info.command) != 0) lines += flag_lines(flag, width);
    if (!lines.empty()) out += "\n" + std::string(group_title(group)) + ":\n" + lines;
  }
  out += "\nExit codes:\n" + lines_of(exit_codes_of(info), "  ");
  return out;
}

std::string general_help(unsigned width) {
  std::string out = wrapped("Leitong finds near-duplicate texts in collections of any size and keeps one of each group.", 0, width);
  out += "\nUsage: leitong COMMAND [OPERAND...] [FLAG...]\n\nThe main job:\n";
  out += "  leitong dedup /usr/share/doc --include '*/copyright' --output-dir out\n";
  out += "  leitong dedup news.jsonl --output-dir out\n";
  const auto list = [&](std::string_view title, Commands which) {
    out += "\n" + std::string(title) + ":\n";
    for (const CommandInfo& info : commands()) {
      if ((info.command & which) == 0) continue;
      out += named_purpose(info.name, info.purpose, width);
    }
  };
  list("Near-duplicates", cmd_dedup | cmd_restore | cmd_overlap | cmd_compare | cmd_explain | cmd_calibrate | cmd_rules);
  list("A collection that lasts", cmd_collection | cmd_copy | cmd_serve);
  list("Fingerprints and words", cmd_fingerprint | cmd_search | cmd_profiles | cmd_segment | cmd_normalize | cmd_extract | cmd_keywords |
                                     cmd_idf | cmd_data | cmd_parity);
  list("The stages of dedup, one by one", stages);
  list("About the program", cmd_help | cmd_version | cmd_completions);
  out += "\n" + wrapped(
                    "leitong COMMAND --help explains a command and its flags. Flags may be written with underscores, as --flag VALUE or "
                    "--flag=VALUE; -- ends the flags; - is standard input.",
                    0, width);
  out +=
      "\nExit codes:\n  0 done\n  1 nothing matched, where that has a meaning (compare, restore, dedup, parity)\n  2 error\n  3 done, but "
      "an input could not be read to its end\n  130 stopped by a signal\n";
  return out;
}

}  // namespace leitong::cli
