"""What the tests on devices share: namespaces of their own, a disk that logs and fails, real file systems on it.

Everything is mounted in a mount namespace on top of a tmpfs there, and run in a process namespace whose first process dies with the test, whatever
ends it. So nothing is left: the system unmounts, and loop devices go with what was mounted of them. (One empty directory after kill -9, which
the next run removes.)
"""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SKIPPED = 77
SCRATCH = "LEITONG_DEVICE_SCRATCH"
PREFIX = "leitong-device-"
SIZES = {"ext4": 64 << 20, "xfs": 300 << 20}  # of files with holes; mkfs.xfs makes nothing smaller
MAKE = {"ext4": ["mkfs.ext4", "-q", "-F", "-E", "lazy_itable_init=0,lazy_journal_init=0"], "xfs": ["mkfs.xfs", "-q", "-f"]}
OPTIONS = {"ext4": "loop,noinit_itable", "xfs": "loop,nouuid"}


def skip(reason):
    print(f"SKIPPED: {reason}")
    sys.exit(SKIPPED)


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", timeout=120, **options)


def must(*command):
    done = run(*command)
    if done.returncode != 0:
        sys.exit(f"{' '.join(str(word) for word in command)}: {done.stderr.strip() or done.stdout.strip()}")


def require_devices(disk, kind):
    """Skips the test, and says why, where it cannot be run."""
    if not disk:
        skip("the disk was not built: libfuse3-dev was missing when the build was configured")
    if os.geteuid() != 0:
        skip("only root may mount file systems")
    for device in ("/dev/fuse", "/dev/loop-control"):
        if not os.path.exists(device):
            skip(f"there is no {device}")
    for program in ("setpriv", "unshare", "mount", "umount", MAKE[kind][0]):
        if shutil.which(program) is None:
            skip(f"{program} is not installed")
    if kind not in pathlib.Path("/proc/filesystems").read_text().split():
        skip(f"this kernel has no {kind}")
    if run("unshare", "--mount", "--pid", "--fork", "--mount-proc", "true").returncode != 0:
        skip("namespaces of one's own are not allowed here")


def own_place():
    """Returns in a child with namespaces and a tmpfs of its own; the path of that. The parent waits here and ends as the child ends."""
    scratch = os.environ.get(SCRATCH)
    if scratch:
        must("mount", "-t", "tmpfs", "tmpfs", scratch)
        return pathlib.Path(scratch)
    for left in pathlib.Path(tempfile.gettempdir()).glob(PREFIX + "*"):
        if not os.path.exists(f"/proc/{left.name.removeprefix(PREFIX)}") and not any(left.iterdir()):
            left.rmdir()
    place = pathlib.Path(tempfile.gettempdir()) / f"{PREFIX}{os.getpid()}"
    place.mkdir()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    child = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--mount-proc",
                              "--kill-child", sys.executable, "-B", *sys.argv], env={**os.environ, SCRATCH: str(place)})
    try:
        status = child.wait()
    finally:
        child.kill()
        child.wait()
        place.rmdir()
    sys.exit(status)


def make_image(kind, path):
    with open(path, "wb") as image:
        image.truncate(SIZES[kind])
    must(*MAKE[kind], path)


def copy_image(source, target):
    """A copy that keeps the holes. `source` and `target` are descriptors of files, the second one empty."""
    size = os.fstat(source).st_size
    os.ftruncate(target, size)
    at = 0
    while True:
        try:
            at = os.lseek(source, at, os.SEEK_DATA)
        except OSError:  # no data behind
            return
        end = os.lseek(source, at, os.SEEK_HOLE)
        os.lseek(target, at, os.SEEK_SET)
        while at < end:
            at += os.sendfile(target, source, at, end - at)


class Mounted:
    """A file system on a loop device over `image`, at `directory`, while the block lasts."""

    def __init__(self, kind, image, directory):
        self.kind, self.image, self.directory = kind, image, pathlib.Path(directory)

    def __enter__(self):
        self.directory.mkdir(exist_ok=True)
        done = run("mount", "-t", self.kind, "-o", OPTIONS[self.kind], self.image, self.directory)
        if done.returncode != 0:
            raise OSError(f"the {self.kind} on {self.image} cannot be mounted: {done.stderr.strip()}")
        return self.directory

    def __exit__(self, *_):
        unmount(self.directory)

    def read_ahead_nothing(self):
        device = re.search(rf" {re.escape(str(self.directory))} .* /dev/(loop\d+) ", pathlib.Path("/proc/self/mountinfo").read_text()).group(1)
        pathlib.Path(f"/sys/block/{device}/queue/read_ahead_kb").write_text("0")


def unmount(directory):
    for _ in range(100):
        done = run("umount", directory)
        if done.returncode == 0:
            return
        time.sleep(0.05)  # what was killed may still be going
    sys.exit(f"umount {directory}: {done.stderr.strip()}")


class Disk:
    """The disk of disk.cpp over `image`, while the block lasts; its log is log_path."""

    def __init__(self, program, image, directory):
        self.program, self.image, self.directory = program, image, pathlib.Path(directory)
        self.log_path = self.directory.with_suffix(".log")
        self.path, self.notes, self.faults = (self.directory / name for name in ("disk", "notes", "faults"))

    def __enter__(self):
        self.directory.mkdir(exist_ok=True)
        self.log_path.unlink(missing_ok=True)
        self.process = subprocess.Popen([self.program, str(self.image), str(self.log_path), str(self.directory)])
        for _ in range(1000):
            if self.path.exists():
                return self
            if self.process.poll() is not None:
                break
            time.sleep(0.01)
        sys.exit("the disk does not come up")

    def __exit__(self, *_):
        if self.process.poll() is not None:
            sys.exit(f"the disk ended by itself: exit code {self.process.returncode}")
        self.process.terminate()
        self.process.wait(60)
        unmount(self.directory)

    def fail(self, order):
        with open(self.faults, "r+") as faults:
            faults.write(order)

    def failed(self):
        return int(self.faults.read_text())

    def note(self, line):
        with open(self.notes, "a") as notes:
            notes.write(line + "\n")


def require_mounts(disk, kind, scratch):
    """Skips the test where trying shows that a file system on a disk of ours cannot be mounted."""
    image = scratch / "trial"
    make_image(kind, image)
    try:
        with Disk(disk, image, scratch / "trial-disk") as tried, Mounted(kind, tried.path, scratch / "trial-mounted"):
            pass
    except (OSError, SystemExit) as error:
        skip(f"no {kind} on a disk of one's own can be mounted here: {error}")
    image.unlink()
