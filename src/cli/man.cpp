// The manual as one man page.
#include "cli/help.h"

namespace leitong::cli {
namespace {

std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '\'' || (c == '.' && (out.empty() || out.back() == '\n'))) {
      out += c == '\'' ? "\\(aq" : "\\&.";
    } else {
      out += c;
    }
  }
  return out;
}

std::string paragraphs(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    out += ".PP\n" + roff(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return out;
}

std::string verbatim(std::string_view text) { return ".PP\n.nf\n.RS\n" + roff(text) + "\n.RE\n.fi\n"; }

std::string flag_entry(const Flag& flag) {
  std::string head;
  if (flag.letter != 0) head = "\\fB\\-" + std::string(1, flag.letter) + "\\fR";
  if (flag.name[1] != '\0') head += (head.empty() ? "" : ", ") + ("\\fB\\-\\-" + roff(flag.name) + "\\fR");
  if (*flag.argument != '\0') head += " \\fI" + roff(flag.argument) + "\\fR";
  return ".TP\n" + head + "\n" + roff(flag_text(flag)) + "\n";
}

std::string command_entry(const CommandInfo& info) {
  std::string out = ".SS leitong " + std::string(info.name) + "\n.B leitong " + info.name + "\n" + roff(info.usage) + "\n";
  out += ".PP\n" + roff(info.purpose) + ".\n" + paragraphs(info.description);
  if (*info.examples != '\0') out += ".PP\nExamples:\n" + verbatim(info.examples);
  for (const Group group : all_groups) {
    if (group == Group::general) continue;  // said once, for all commands
    std::string entries;
    for (const Flag& flag : flags())
      if (flag.group == group && (flag.commands & info.command) != 0) entries += flag_entry(flag);
    if (!entries.empty()) out += ".PP\n\\fI" + std::string(group_title(group)) + "\\fR\n" + entries;
  }
  return out;
}

}  // namespace

std::string man_page(std::string_view version) {
  std::string out = ".TH LEITONG 1 \"\" \"leitong " + roff(version) + "\" \"User Commands\"\n";
  out += ".SH NAME\nleitong \\- find near\\-duplicate texts and keep one of each group\n";
  out += ".SH SYNOPSIS\n.B leitong\n\\fICOMMAND\\fR [\\fIOPERAND\\fR...] [\\fIFLAG\\fR...]\n.SH COMMANDS\n";
  for (const CommandInfo& info : commands()) out += command_entry(info);
  out += ".SH GENERAL FLAGS\n";
  for (const Flag& flag : flags())
    if (flag.group == Group::general) out += flag_entry(flag);
  out +=
      ".PP\nFlags may be written with dashes or underscores, as \\-\\-flag VALUE or \\-\\-flag=VALUE; \\-\\- ends the flags;\n"
      "\\- is standard input.\n";
  out +=
      ".SH EXIT STATUS\n.TP\n0\ndone\n.TP\n1\nnothing matched, where that has a meaning (compare, restore, dedup)\n"
      ".TP\n2\nerror\n.TP\n130\nstopped by a signal\n";
  out +=
      ".SH ENVIRONMENT\n.TP\nNO_COLOR\nif set and not empty, no colours are used\n.TP\nLEITONG_ISA\n"
      "portable, avx2 or avx512 forces the instruction set; the results are the same\n";
  return out;
}

}  // namespace leitong::cli
