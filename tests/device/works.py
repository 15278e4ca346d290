"""What is done on the disk, and what must be found of it after a crash. A work does something (`run`) and says what is wrong (`verdict`)."""

import hashlib
import json
import random
import subprocess

from devices import run


class StoreWork:
    """device_store_worker: the store with limits so small that runs, merges and manifests come and go; killed and begun again now and then."""

    def __init__(self, worker, seed, steps):
        self.worker, self.seed, self.steps = worker, seed, steps

    def run(self, place, disk, environment=None):
        """0, or the exit code of a step that failed; and what it said."""
        step = 0
        while True:
            done = run(self.worker, "work", place, self.seed, disk.notes, step, self.steps, env=environment)
            if done.returncode != 10:
                return done.returncode, done.stderr.strip()
            step = int(done.stdout) + 1

    def verdict(self, place, notes, scratch):
        path = scratch / "notes"
        path.write_bytes(notes)
        done = run(self.worker, "check", place, self.seed, path)
        return "" if done.returncode == 0 else done.stdout.strip() or f"exit code {done.returncode}: {done.stderr.strip()}"


def text(number):
    digits = hashlib.sha512(str(number).encode()).hexdigest()
    return " ".join(digits[at : at + 6] for at in range(0, 126, 6))


def records(numbers):
    return "".join(f'{{"id":"r{n}","text":"{text(n)}"}}\n' for n in numbers)


class ProgramWork:
    """The program `leitong collection`: its answers, which it writes into the disk's notes itself, are the acknowledgements.

    Other notes, JSON lines too: {"tried":[first,end]}, {"loading":[first,end]} (all or none of them), {"in":[first,end]}, {"erasing":[…]},
    {"erased":[…]}, {"copied":K,"end":N} and {"created":true}.
    """

    def __init__(self, program, seed, steps):
        self.program, self.seed, self.steps = program, seed, steps

    def _index(self, action, *arguments, **options):
        return run(self.program, "collection", action, *arguments, **options)

    def run(self, place, disk, environment=None):
        chance = random.Random(self.seed)
        collection, end, copies = place / "c", 0, 0

        def note(**what):
            disk.note(json.dumps(what))

        for step in range(self.steps):
            kind = "create" if step == 0 else chance.choices(("add", "buffered", "delete", "import", "compact", "clusters", "backup"),
                                                             (8, 2, 3, 2, 2, 1, 1))[0]
            if kind == "create":
                done = self._index("create", collection, "--texts", env=environment)
            elif kind == "add":
                first, end = end, end + chance.choice((1, 3, 20, 60))
                note(tried=[first, end])
                with open(disk.notes, "a") as answers:
                    done = subprocess.run([self.program, "collection", "add", str(collection), "-", "--unique", "--quiet"], text=True, env=environment,
                                          input=records(range(first, end)), stdout=answers, stderr=subprocess.PIPE, timeout=120)
            elif kind in ("buffered", "import"):
                first, end = end, end + chance.choice((1, 10, 40))
                note(**{"loading" if kind == "import" else "tried": [first, end]})
                action = ("import",) if kind == "import" else ("add", "--buffered")
                done = self._index(*action, collection, "-", "--quiet", input=records(range(first, end)), env=environment)
            elif kind == "delete":
                numbers = sorted({chance.randrange(end or 1) for _ in range(3)})
                note(erasing=numbers)
                done = self._index("delete", collection, *(f"r{n}" for n in numbers), env=environment)
                done.returncode *= done.returncode != 1  # some were not there
            elif kind == "backup":
                copies += 1
                done = self._index("backup", collection, place / f"copy-{copies}", env=environment)
            else:
                done = self._index(kind, collection, env=environment)
            if done.returncode != 0:
                return done.returncode, done.stderr.strip()
            if kind == "create":
                note(created=True)
            elif kind in ("buffered", "import"):
                note(**{"in": [first, end]})
            elif kind == "delete":
                note(erased=numbers)
            elif kind == "backup":
                note(copied=copies, end=end)
        return 0, ""

    def verdict(self, place, notes, scratch):
        try:
            return self._verdict(place, notes)
        except subprocess.TimeoutExpired as error:
            return f"it hangs: {error}"

    def _verdict(self, place, notes):
        must, may, loads, copies, created = set(), set(), [], [], False
        for line in notes.decode().split("\n")[:-1]:
            said = json.loads(line)
            if "result" in said:
                must.add(int(said["id"][1:]))
            elif "in" in said:
                must |= set(range(*said["in"]))
            elif "tried" in said:
                may |= set(range(*said["tried"]))
            elif "loading" in said:
                loads.append(set(range(*said["loading"])))
                may |= loads[-1]
            elif "erasing" in said:
                must -= set(said["erasing"])
                loads = [load - set(said["erasing"]) for load in loads]
            elif "erased" in said:
                may -= set(said["erased"])
            elif "copied" in said:
                copies.append((said["copied"], said["end"]))
            elif "created" in said:
                created = True
        collection = place / "c"
        if not (collection / "MANIFEST").exists():
            if created:
                return "the collection is gone"
            made = self._index("create", collection, "--texts")
            if made.returncode != 0:
                return f"it cannot be made: {made.stderr}"
        for wanted in (must, must | {1_000_000}):
            checked = self._index("check", collection)
            if checked.returncode != 0:
                return f"check: {checked.stderr or checked.stdout}"
            wrong, found = self._found(collection)
            if wrong:
                return wrong
            if wanted - found:
                return f"{len(wanted - found)} acknowledged documents are lost, the first is r{min(wanted - found)}"
            if found - may - wanted:
                return f"{len(found - may)} documents are there that were erased or never given"
            if any(load & found and load - found for load in loads):
                return "a part of an import is there"
            if 1_000_000 not in wanted:
                added = self._index("add", collection, "-", input=records([1_000_000]))
                if added.returncode != 0:
                    return f"nothing can be added: {added.stderr}"
        for copy, end in copies:
            wrong, found = self._found(place / f"copy-{copy}")
            if wrong or not found <= set(range(end)):
                return f"backup {copy}: {wrong or 'it holds what came later'}"
            if self._index("check", place / f"copy-{copy}").returncode != 0:
                return f"backup {copy} is damaged"
        return ""

    def _found(self, collection):
        done = self._index("export", collection)
        if done.returncode != 0:
            return f"export: {done.stderr}", set()
        found = set()
        for line in done.stdout.splitlines():
            entry = json.loads(line)
            number = int(entry["id"][1:])
            if number in found or entry["text"] != text(number):
                return f"it holds what it was never given, or twice: {line[:200]}", found
            found.add(number)
        return "", found
