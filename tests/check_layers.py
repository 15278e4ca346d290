"""Checks the #includes against the rooms of CMakeLists.txt, and the list of rooms in docs/architecture.md too: includes go one way.

    check_layers.py ROOT         prints FILE:LINE of every include that the table does not allow
    check_layers.py --self-test  plants wrong includes and a wrong table and checks that they are caught
"""

import pathlib
import re
import sys
import tempfile

# A room and the rooms whose headers it may include, besides its own, the public headers and external packages, as CMakeLists.txt builds
# them.
ROOM = re.compile(r"^leitong_room\(([^)]*)\)", re.M)


def rooms_of(root):
    rooms = {"cli": []}
    for match in ROOM.finditer((root / "CMakeLists.txt").read_text(encoding="utf-8")):
        name, *allowed = match.group(1).split()
        rooms[name] = allowed
    return rooms


# The room that implements what a public header declares. Headers that are not here only define values (options, profiles, errors), and
# every room may include them. A room may include the public headers of rooms that it may include, directly or through others; its tests
# may include all.
OWNERS = {
    "extract.h": "pages", "jieba.h": "segment", "data.h": "segment", "hamming.h": "hamming", "hamming_index.h": "hamming", "java.h": "java",
    "segment.h": "fingerprint", "similarity.h": "similarity", "fingerprint_file.h": "records", "stages.h": "stages",
    "records.h": "words", "idf.h": "words",
    "near_fingerprints.h": "stored", "parity.h": "stored", "overlap.h": "passages", "calibrate.h": "calibration",
    "collection.h": "collection", "copy.h": "collection", "dedup.h": "deduplication", "distributed.h": "distributed", "c.h": "c", "server.h": "server",
}
RESULTS = {"overlap.h", "calibrate.h"}  # a page shows what these hold
FACES = {"c", "cli", "server"}
# A header that takes longer to compile than most sources that would include it, and the sources that may.
HEAVY = {"simdjson.h": {"pages/linked_data.cpp", "records/json_value.cpp", "records/utf8.cpp", "server/json_reader.cpp", "text/normalize.cpp"}}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
# An item of the page's list of rooms: "* `src/room/`: what it does." and, on a line of its own, "  May include: room, room."
LISTED_ROOM = re.compile(r"^\* `src/(\w+)/`: (?:(?!^\S).)*?^  May include: ([^.]*)\.$", re.M | re.S)


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in (".cpp", ".h", ".inc", ".c"))


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) == '"', match.group(2)


def reached(room, rooms):
    """The rooms that a room may include, and those that these may, and so on; itself."""
    found, left = {room}, [room]
    while left:
        for other in rooms.get(left.pop(), []):
            if other not in found:
                found.add(other)
                left.append(other)
    return found


def check_header(room, rooms, header):
    owner = OWNERS.get(header)
    if owner is None or room in FACES or owner in reached(room, rooms) or (room == "report" and header in RESULTS):
        return ""
    return f"leitong/{header} is the promise of {owner}, which {room} does not reach"


def check_room(root, room, rooms):
    for path in sources(root / "src" / room):
        where = path.relative_to(root)
        for number, quoted, target in includes(path):
            first = target.split("/")[0]
            if target in HEAVY and f"{room}/{path.name}" not in HEAVY[target] and "_test." not in path.name:
                yield f"{where}:{number}: only {', '.join(sorted(HEAVY[target]))} may include <{target}>"
            elif first in rooms and "/" in target:
                if first != room and first not in rooms[room]:
                    yield f"{where}:{number}: {room} may not include {first} ({target})"
            elif first == "leitong":
                wrong = "" if "_test." in path.name else check_header(room, rooms, target.split("/")[-1])
                if wrong:
                    yield f"{where}:{number}: {wrong}"
            elif ".." in target.split("/"):
                yield f"{where}:{number}: write the path from src/ instead of {target}"
            elif quoted and first != "leitong":
                local = path.parent / target
                if local.exists() or (root / "src" / target).exists():
                    yield f"{where}:{number}: write the path from src/: {room}/{target}"


def check_public(root, rooms):
    """Public headers include nothing of ours but public headers."""
    for path in sources(root / "include"):
        for number, _, target in includes(path):
            first = target.split("/")[0]
            if first in rooms and "/" in target:
                yield f"{path.relative_to(root)}:{number}: a public header may not include {target}"


def listed_rooms(page, rooms):
    written = {}
    for match in LISTED_ROOM.finditer(page.read_text(encoding="utf-8")):
        written[match.group(1)] = sorted(w for w in re.findall(r"\w+", match.group(2)) if w in rooms)
    return written


def check_page(root, rooms):
    page = root / "docs" / "architecture.md"
    if not page.exists():
        yield "docs/architecture.md: missing"
        return
    written = listed_rooms(page, rooms)
    for room, allowed in rooms.items():
        if room not in written:
            yield f"docs/architecture.md: src/{room}/ is not in the list"
        elif written[room] != sorted(allowed):
            yield f"docs/architecture.md: src/{room}/ may include {allowed}, the page says {written[room]}"


def check(root):
    problems, rooms = [], rooms_of(root)
    folders = sorted(p.name for p in (root / "src").iterdir() if p.is_dir() and sources(p))
    for folder in folders:
        if folder not in rooms:
            problems.append(f"src/{folder}: a room that the table does not know")
        else:
            problems += check_room(root, folder, rooms)
    problems += check_public(root, rooms)
    known = {p.name for p in sources(root / "include")}
    problems += [f"tests/check_layers.py: there is no leitong/{name}" for name in sorted(OWNERS.keys() - known)]
    problems += check_page(root, rooms)
    return problems


def self_test():
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        rooms = {"text": [], "storage": [], "records": ["text"], "hamming": ["storage"], "fingerprint": ["text"]}
        rooms["stages"] = ["records", "hamming", "fingerprint"]
        (root / "CMakeLists.txt").write_text("".join(f"leitong_room({' '.join([room, *allowed])})\n" for room, allowed in rooms.items()))
        rooms["cli"] = []
        for room in rooms:
            (root / "src" / room).mkdir(parents=True)
            (root / "src" / room / "a.h").write_text("#pragma once\n")
        (root / "include" / "leitong").mkdir(parents=True)
        for name in OWNERS:
            (root / "include" / "leitong" / name).write_text("#pragma once\n")
        (root / "docs").mkdir()
        items = [f"* `src/{room}/`: words.\n  May include: {', '.join(allowed) or 'no other room'}." for room, allowed in rooms.items()]
        (root / "docs" / "architecture.md").write_text("\n".join(items) + "\n")
        good = "// a comment\n#include <vector>\n#include \"leitong/error.h\"\n#include \"text/a.h\"\n"
        (root / "src" / "fingerprint" / "a.cpp").write_text(good)
        assert check(root) == [], check(root)

        (root / "src" / "hamming" / "b.cpp").write_text("#include <cstdint>\n#include \"text/a.h\"\n")
        (root / "src" / "text" / "normalize.cpp").write_text("#include <simdjson.h>\n")
        (root / "src" / "text" / "i.h").write_text("#include <simdjson.h>\n")
        (root / "src" / "cli" / "c.cpp").write_text("#  include <records/a.h>\n")
        (root / "src" / "records" / "h.cpp").write_text('#include "leitong/fingerprint_file.h"\n#include "leitong/stages.h"\n')
        (root / "src" / "records" / "h_test.cpp").write_text('#include "leitong/stages.h"\n')
        (root / "src" / "text" / "d.cpp").write_text('#include "../storage/a.h"\n#include "a.h"\n')
        (root / "include" / "leitong" / "e.h").write_text('\n\n#include "stages/a.h"\n')
        (root / "src" / "attic").mkdir()
        (root / "src" / "attic" / "f.cpp").write_text("\n")
        items[4] = "* `src/fingerprint/`: words on\n  two lines.\n  May include: text,\n  storage."
        (root / "docs" / "architecture.md").write_text("\n".join(items) + "\n")
        found = "\n".join(check(root))
        expected = ["hamming/b.cpp:2:", "text/i.h:1:", "records/h.cpp:2:", "cli/c.cpp:1:", "text/d.cpp:1:", "text/d.cpp:2:", "leitong/e.h:3:", 
                    "src/attic", "src/fingerprint/ may include"]
        for part in expected:
            assert part in found, f"not caught: {part}\n{found}"
        assert len(found.splitlines()) == len(expected), found
    print("the layer checker catches what it is for")


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    problems = check(pathlib.Path(sys.argv[1]))
    print("\n".join(problems) if problems else "every include follows the table of rooms")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
