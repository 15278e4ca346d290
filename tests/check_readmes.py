"""The two READMEs say the same figures and commands; README.md keeps to its length; links lead to files.

    check_readmes.py [ROOT]      prints what is missing, and in which file
    check_readmes.py --self-test
"""

import pathlib
import re
import sys

MOST_WORDS, MOST_COLUMNS = 1500, 140
FIGURE = re.compile(r"(?<![\w.])(?:\d{1,3}(?:,\d{3})+|\d*\.\d+|\d{2,})(?![\w])")
COMMAND = re.compile(r"^(?:\./run|leitong) ([a-z]+(?: (?:create|add|query|clusters))?)", re.M)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def section(text, title):
    """From a heading to the next."""
    match = re.search(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    return match.group(1) if match else ""


def missing_figures(english, chinese):
    said = section(english, "How good") + section(english, "How fast")
    said = re.sub(r"\d+ November \d+", "", LINK.sub("", said))
    there = set(FIGURE.findall(chinese))
    return sorted(set(FIGURE.findall(said)) - there)


def commands(text):
    return {command for block in re.findall(r"```sh\n(.*?)```", text, re.S) for command in COMMAND.findall(block)}


def problems(english, chinese):
    words = len(english.split())
    if words > MOST_WORDS:
        yield f"README.md: {words} words; at most {MOST_WORDS}"
    for number, line in enumerate(english.splitlines(), 1):
        if len(line) > MOST_COLUMNS:
            yield f"README.md:{number}: {len(line)} columns; at most {MOST_COLUMNS}"
    for figure in missing_figures(english, chinese):
        yield f"README.zh-CN.md: the figure {figure} of README.md is not there"
    for command in sorted(commands(english) - commands(chinese)):
        yield f"README.zh-CN.md: the command {command} of README.md is in no block of commands"


def broken_links(root):
    for page in [*root.glob("*.md"), *(root / "docs").glob("*.md"), *(root / "bench").glob("*.md")]:
        text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
        for target in LINK.findall(text):
            if "://" not in target and not target.startswith("mailto:") and not (page.parent / target).exists():
                yield f"{page.relative_to(root)}: the link {target} leads to no file"


def self_test():
    english = "# A\n\n## How good\n\n.926 of 1,234\n\n## Else\n\n77\n\n```sh\nleitong dedup a\nleitong collection add b\n```\n"
    good = ".926 1,234\n```sh\nleitong dedup 甲\nleitong collection add 乙\n```\n"
    assert list(problems(english, good)) == []
    assert len(list(problems(english, good.replace(".926", ".927")))) == 1
    assert len(list(problems(english, good.replace("collection add", "collection query")))) == 1
    assert len(list(problems(english + "x" * 141, good))) == 1
    assert len(list(problems(english + " x" * 1500, good))) == 2
    print("what the READMEs do not share is found")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    english, chinese = ((root / name).read_text(encoding="utf-8") for name in ("README.md", "README.zh-CN.md"))
    found = [*problems(english, chinese), *broken_links(root)]
    print("\n".join(found) if found else "the READMEs say the same, and links lead to files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
