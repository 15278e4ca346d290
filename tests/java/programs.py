"""The articles' Java programs: finds or fetches HanLP's jar, compiles the sources beside this file, runs them.

HanLP comes from Maven Central by name (com.hankcs:hanlp:portable-1.8.1) into $XDG_CACHE_HOME/leitong/java, or is the jar that
LEITONG_HANLP_JAR names. IKAnalyzer 3.2.8 is not on Maven: its programs are there only if LEITONG_IK_JAR names its jar.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
HANLP = "com.hankcs:hanlp:portable-1.8.1"
HANLP_FILE = "hanlp-portable-1.8.1.jar"


class Missing(Exception):
    """What the programs need is not on this machine: a reason to skip, not to fail."""


def cache_dir():
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "leitong" / "java"


def hanlp_jar():
    if os.environ.get("LEITONG_HANLP_JAR"):
        jar = Path(os.environ["LEITONG_HANLP_JAR"])
        if not jar.is_file():
            raise Missing(f"LEITONG_HANLP_JAR names {jar}, which is no file")
        return jar.resolve()
    jar = cache_dir() / HANLP_FILE
    if not jar.is_file():
        if not shutil.which("mvn"):
            raise Missing(f"no mvn to fetch {HANLP}; install Maven or set LEITONG_HANLP_JAR")
        jar.parent.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(["mvn", "-q", "-B", "dependency:copy", f"-Dartifact={HANLP}", f"-DoutputDirectory={jar.parent}"],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
        if done.returncode or not jar.is_file():
            raise Missing(f"mvn could not fetch {HANLP}: {(done.stdout.strip().splitlines() or ['no message'])[0]}")
    return jar


def ik_jar():
    """The jar of IKAnalyzer 3.2.8, or None."""
    if not os.environ.get("LEITONG_IK_JAR"):
        return None
    jar = Path(os.environ["LEITONG_IK_JAR"])
    if not jar.is_file():
        raise Missing(f"LEITONG_IK_JAR names {jar}, which is no file")
    return jar.resolve()


class Programs:
    """The compiled programs; `classes` is where the classes go (made anew when a source or a jar is newer)."""

    def __init__(self, classes=None, sources=()):
        for tool in ("java", "javac"):
            if not shutil.which(tool):
                raise Missing(f"no {tool}; install a JDK 17 or later")
        self.ik = ik_jar()
        self.jars = [hanlp_jar()] + ([self.ik] if self.ik else [])
        self.classes = Path(classes or cache_dir() / ("classes-ik" if self.ik else "classes"))
        self._compile(list(sources))

    def _compile(self, sources):
        sources += sorted((HERE / "src").rglob("*.java"))
        if self.ik:
            sources += sorted((HERE / "ik").rglob("*.java"))
        stamp = self.classes / "compiled.json"
        wanted = json.dumps([[str(path), path.stat().st_mtime_ns] for path in sources + self.jars])
        if stamp.is_file() and stamp.read_text() == wanted:
            return
        shutil.rmtree(self.classes, ignore_errors=True)
        self.classes.mkdir(parents=True)
        jars = os.pathsep.join(map(str, self.jars))
        subprocess.run(["javac", "-encoding", "UTF-8", "-Xlint:all", "-Werror", "-proc:none", "-cp", jars, "-d", str(self.classes), *map(str, sources)], check=True)
        stamp.write_text(wanted)

    def command(self, program, *arguments, heap="2g"):
        """How to start a program; it must run in a folder without `data`, which HanLP would prefer to its jar."""
        path = os.pathsep.join([str(self.classes), *map(str, self.jars)])
        return ["java", f"-Xmx{heap}", "-cp", path, program, *map(str, arguments)]

    def answers(self, lines, folder, idf=None, stop_words=None, ik=False, words_only=False):
        """Runs articles.Parity on its input lines; one parsed answer a text."""
        arguments = (["--words"] if words_only else []) + (["--idf", idf, "--stop-words", stop_words] if idf else []) + (["--ik"] if ik else [])
        folder = Path(folder)
        with open(folder / "java.in", "w", encoding="ascii") as out:
            out.writelines(line + "\n" for line in lines)
        with open(folder / "java.in", "rb") as source, open(folder / "java.out", "wb") as out:
            subprocess.run(self.command("articles.Parity", *arguments), stdin=source, stdout=out, cwd=folder, check=True)
        with open(folder / "java.out", encoding="ascii") as answers:
            return [json.loads(line) for line in answers]


def hexadecimal(text):
    """A string as its UTF-16 units, four digits each; lone surrogates stay."""
    return text.encode("utf-16-be", "surrogatepass").hex()


def units(text):
    """What two strings are compared by: a pair of surrogate escapes and the character itself are one text."""
    return text.encode("utf-16-be", "surrogatepass")


def main():
    """Prints the path of HanLP's jar, fetching it if need be; status 77 and the reason on standard error if it cannot be had."""
    try:
        print(hanlp_jar())
    except (Missing, subprocess.TimeoutExpired) as reason:
        print(reason, file=sys.stderr)
        sys.exit(77)


if __name__ == "__main__":
    main()
