"""Texts to fingerprints."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _core
from ._errors import UsageError
from ._optional import need
from ._records import texts_source
from .profiles import Profile, profile_text

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

_WORD = 8  # bytes


@dataclass(frozen=True, repr=False)
class Fingerprints:
    """Fingerprints of texts, in their order.

    Two of them may be compared only if they are of the same profile, which `profile_id` says. Pickles as its buffers and the id.

    Attributes
    ----------
    words : bytes
        64-bit words in the machine's order, least significant first, `bits / 64` (at least one) a fingerprint; 0 where there is none.
    mask : bytes
        A byte a text: 1 where it has a fingerprint. A text without a word, or a missing one, has none.
    bits : int
        Of a fingerprint.
    profile_id : str
        What was done to the texts.

    Examples
    --------
    >>> import leitong
    >>> some = leitong.fingerprint(["How sweet the moonlight sleeps upon this bank", "!", None])
    >>> some.hex()
    ['57bd39da6bc0db99', None, None]
    >>> len(some), some.bits
    (3, 64)
    """

    words: bytes = field(repr=False)
    mask: bytes = field(repr=False)
    bits: int
    profile_id: str

    def __len__(self) -> int:
        return len(self.mask)

    def __repr__(self) -> str:
        return f"<Fingerprints: {len(self)} of {self.bits} bits, profile {self.profile_id[:8]}>"

    @property
    def _width(self) -> int:
        return max(1, self.bits // 64)

    def to_numpy(self) -> NDArray[numpy.uint64]:
        """The words as `uint64[n]`, or `uint64[n, words]` of more than 64 bits; a read-only view. Needs numpy."""
        numpy = need("numpy", "to_numpy")
        values = numpy.frombuffer(self.words, dtype=numpy.uint64)
        return values if self._width == 1 else values.reshape(-1, self._width)  # type: ignore[no-any-return]

    @property
    def present(self) -> NDArray[numpy.bool_]:
        """Which texts have a fingerprint, as bools; a read-only view. Needs numpy; `mask` does not."""
        return need("numpy", "present").frombuffer(self.mask, dtype=bool)  # type: ignore[no-any-return]

    def to_arrow(self) -> Any:
        """A `pyarrow` array of `uint64`, or of fixed binary of more than 64 bits, null where there is none. Needs pyarrow."""
        pa = need("pyarrow", "to_arrow")
        kind = pa.uint64() if self._width == 1 else pa.binary(self._width * _WORD)
        valid = pa.array(map(bool, self.mask), pa.bool_()).buffers()[1] if len(self) > 0 else None
        return pa.Array.from_buffers(kind, len(self), [valid, pa.py_buffer(self.words)])

    def hex(self) -> list[str | None]:
        """Lower-case hexadecimal digits, most significant first; None where there is none."""
        return _core.hex(self.words, self.mask, self.bits)

    def number(self, i: int) -> int | None:
        """Fingerprint `i` as an int."""
        i = range(len(self))[i]
        size = self._width * _WORD
        return int.from_bytes(self.words[i * size : (i + 1) * size], "little") if self.mask[i] else None

    def distance(self, i: int, j: int) -> int | None:
        """Bits in which fingerprints `i` and `j` differ; None if one of the texts has none.

        Examples
        --------
        >>> import leitong
        >>> leitong.fingerprint(["the ship sails at nine", "The ship sails at nine!"]).distance(0, 1)
        0
        """
        a, b = self.number(i), self.number(j)
        return None if a is None or b is None else (a ^ b).bit_count()


def fingerprint(texts: Any, *, profile: str | Profile = "leitong-1", threads: int = 0, column: str = "") -> Fingerprints:
    """Fingerprints of texts, the same as those of the command line.

    Parameters
    ----------
    texts : list of str or None, or a column
        A column of pyarrow, polars or pandas, or anything else with ``__arrow_c_stream__`` or ``__arrow_c_array__``, is read in place;
        of pandas' columns of objects and of numpy's a list is made.
    profile : str or Profile
        A built-in profile (`leitong.profiles`), or the path of a TOML file.
    threads : int
        0: as many as there are cores.
    column : str
        If `texts` is a table: which of its columns.

    Returns
    -------
    Fingerprints

    Examples
    --------
    >>> import leitong
    >>> leitong.fingerprint(["床前明月光，疑是地上霜。", "床前明月光,疑是地上霜."]).hex()
    ['030e51604d2987f2', '030e51604d2987f2']
    """
    return Fingerprints(*_core.fingerprint(texts_source(texts), column, profile_text(profile), threads))


def self_join(values: Any, k: int, *, threads: int = 0, memory: int = 0) -> NDArray[numpy.uint32]:
    """All pairs of fingerprints within `k` bits of each other, exactly.

    Ctrl-C is seen whenever pairs have been found; a join that finds none ends first.

    Parameters
    ----------
    values : Fingerprints or array of uint64
        Of shape ``[n]`` or ``[n, words]``. Of `Fingerprints`, texts without one are in no pair.
    k : int
        0 to 12 of 64 bits; any of more bits.
    threads, memory : int
        0: all cores; as many bytes as are fastest.

    Returns
    -------
    numpy.ndarray
        ``uint32[pairs, 3]``: row, row, distance; the first row is the smaller one.

    Examples
    --------
    >>> import leitong
    >>> leitong.self_join(leitong.fingerprint(["the ship sails at nine", "bread", "The ship sails at nine."]), k=3).tolist()
    [[0, 2, 0]]
    """
    numpy = need("numpy", "self_join")
    rows = None
    if isinstance(values, Fingerprints):
        rows = numpy.flatnonzero(values.present)
        array = values.to_numpy()[rows]
    else:
        array = numpy.ascontiguousarray(values)
        if array.dtype != numpy.uint64 or array.ndim not in (1, 2):
            raise UsageError(f"fingerprints are uint64[n] or uint64[n, words], not {array.dtype}{list(array.shape)}")
    width = 1 if array.ndim == 1 else array.shape[1]
    pairs = numpy.frombuffer(_core.self_join(array.tobytes(), width, k, threads, memory), dtype=numpy.uint32).reshape(-1, 3).copy()
    if rows is not None:
        pairs[:, :2] = rows[pairs[:, :2]]
    return pairs  # type: ignore[no-any-return]


assert sys.byteorder == "little", "Leitong's buffers are little-endian"
