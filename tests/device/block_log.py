"""The log of a disk, and the states in which a crash may leave the disk.

A crash after event `position` of the log: what was written before the last flush is there; of what was written later, anything may be: all, some,
sectors of some.
"""

import bisect
import dataclasses
import os
import struct

from devices import copy_image

MODES = ("flush", "write", "subset", "torn")


class BlockLog:
    """events: ("W", where it goes, where it stands in the log, size), ("F",), ("N", text)."""

    def __init__(self, path, size=None):
        with open(path, "rb") as file:
            self.data = file.read() if size is None else file.read(size)
        self.events, at = [], 0
        while at < len(self.data):
            kind = self.data[at : at + 1]
            at += 1
            if kind == b"W":
                offset, length = struct.unpack_from("=QQ", self.data, at)
                self.events.append(("W", offset, at + 16, length))
                at += 16 + length
            elif kind == b"F":
                self.events.append(("F",))
            elif kind == b"N":
                (length,) = struct.unpack_from("=Q", self.data, at)
                self.events.append(("N", self.data[at + 8 : at + 8 + length]))
                at += 8 + length
            else:
                raise ValueError(f"{path}: no event at byte {at - 1}")
        if at != len(self.data):
            raise ValueError(f"{path}: cut off")
        self.writes = [i for i, event in enumerate(self.events) if event[0] == "W"]
        self.flushes = [i for i, event in enumerate(self.events) if event[0] == "F"]

    def notes(self, position):
        return b"".join(event[1] for event in self.events[:position] if event[0] == "N")


@dataclasses.dataclass
class State:
    mode: str
    position: int  # events that had happened
    flushed: int  # of them, those before the last flush and itself
    kept: list  # of the later writes: (event, first byte, length)

    def __str__(self):
        return f"{self.mode} at event {self.position}, {len(self.kept)} pieces since the flush before"


def state_at(log, chance, mode, at):
    """A crash when event `at` was the last that reached the disk; notes behind it were made."""
    position = at + 1
    while position < len(log.events) and log.events[position][0] == "N":
        position += 1
    before = bisect.bisect_right(log.flushes, at)
    flushed = log.flushes[before - 1] + 1 if before > 0 else 0
    later = [i for i in range(flushed, position) if log.events[i][0] == "W"]
    return State(mode, position, flushed, list(kept_of(log, chance, mode, later)))


def draw(log, chance, first, count):
    """`count` states behind event `first`, in the order of their flushes, which is the cheapest to make images in."""
    anywhere = range(min(first, len(log.events) - 1), len(log.events))  # if nothing was written there
    flushes = [i for i in log.flushes if i >= first] or anywhere
    writes = [i for i in log.writes if i >= first] or anywhere
    states = []
    for number in range(count):
        mode = MODES[number % len(MODES)]
        at = chance.choice(flushes if mode == "flush" else writes)
        following = bisect.bisect_right(log.flushes, at)
        if mode in ("subset", "torn") and chance.random() < 0.5 and following < len(log.flushes):
            at = log.flushes[following] - 1  # as much as can be at stake
        states.append(state_at(log, chance, mode, at))
    return sorted(states, key=lambda state: state.flushed)


def kept_of(log, chance, mode, later):
    share = chance.choice((0.1, 0.5, 0.9)) if mode in ("subset", "torn") else 1
    sector = chance.choice((512, 4096))
    for event in later:
        length = log.events[event][3]
        if mode == "torn" and chance.random() < 0.5:
            for begin in range(0, length, sector):
                if chance.random() < share:
                    yield event, begin, min(sector, length - begin)
        elif chance.random() < share:
            yield event, 0, length


class Images:
    """Makes the image of each state. `base` is the image before the log; it is taken along, so states must come in the order of `draw`."""

    def __init__(self, log, base):
        self.log, self.at = log, 0
        self.base = os.open(base, os.O_RDWR)

    def close(self):
        os.close(self.base)

    def _write(self, file, event, begin, length):
        _, offset, stands, _ = self.log.events[event]
        os.pwrite(file, memoryview(self.log.data)[stands + begin : stands + begin + length], offset + begin)

    def make(self, state, path):
        for event in range(self.at, state.flushed):
            if self.log.events[event][0] == "W":
                self._write(self.base, event, 0, self.log.events[event][3])
        self.at = max(self.at, state.flushed)
        path.unlink(missing_ok=True)
        image = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            copy_image(self.base, image)
            for kept in state.kept:
                self._write(image, *kept)
        finally:
            os.close(image)
