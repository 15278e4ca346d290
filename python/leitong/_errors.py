"""Exceptions and the warning of this package."""


class Error(Exception):
    """What Leitong raises; each is also one of Python's own exceptions where there is one of its kind."""


class UsageError(Error, ValueError):
    """Something was asked for that has no meaning: an unknown profile, a column that is not there."""


class FormatError(Error, ValueError):
    """Bytes are not what they should be: a broken file, a bad record where `strict` is asked for."""


class StoreIOError(Error, OSError):
    """The operating system refused to read or write."""


class LimitError(Error):
    """A stated limit was met: the size of a document, the ratio of unpacked to packed bytes."""


class UnsupportedError(Error, NotImplementedError):
    """Well-formed, but not something that this build can do."""


class Interrupted(Error, KeyboardInterrupt):
    """Ctrl-C, or a signal like it, while the library was at work."""


class LeitongWarning(UserWarning):
    """What a person should know of a result: inputs without a record, bad records."""
