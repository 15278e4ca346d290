"""Where a result was measured: the checkout and the processor."""

import subprocess


def commit_of(folder):
    """The short commit of a checkout, marked when files differ from it."""
    def git(*words):
        return subprocess.run(["git", "-C", str(folder), *words], capture_output=True, text=True, check=False).stdout.strip()
    return (git("rev-parse", "--short", "HEAD") or "none") + ("+" if git("status", "--porcelain", "--untracked-files=no") else "")


def cpu_name():
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "unknown processor")
