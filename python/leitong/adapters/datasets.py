"""Hugging Face `datasets`: a column of fingerprints by `Dataset.map`, and the rows that stay by `Dataset.select`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .._errors import UsageError
from .._optional import need
from .._progress import ProgressLike
from .._records import keep_fields
from ..dedup import Dedup
from ..fingerprints import fingerprint
from ..profiles import Profile, profile_text
from ..profiles import profile as profile_of


@dataclass(frozen=True)
class FingerprintColumn:
    """What `fingerprints` gives: a function of a batch, for ``Dataset.map(..., batched=True)``.

    It holds strings and a number only, so it pickles to the same bytes in every process and the cache of `datasets` is met again.
    `profile_id` stands here because a profile may be a file: when the file changes, so does the key of the cache.
    """

    column: str
    output: str
    profile: str
    profile_id: str
    threads: int

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, list[str | None]]:
        found = fingerprint(batch[self.column], profile=self.profile, threads=self.threads)
        if found.profile_id != self.profile_id:
            raise UsageError(f"the profile {self.profile!r} is not what it was: its id is {found.profile_id}, not {self.profile_id}")
        return {self.output: found.hex()}

    def features(self, dataset: Any) -> Any:
        """The types of the columns of the dataset and of the fingerprints, for ``Dataset.map(..., features=...)``.

        Without it `datasets` takes the type of the first batch that is written, and ends with an error if no text of that has a word.
        """
        datasets = need("datasets", "features")
        return datasets.Features({**dataset.features, self.output: datasets.Value("string")})


def fingerprints(
    column: str = "text", *, output: str = "fingerprint", profile: str | Profile = "leitong-1", threads: int = 1
) -> FingerprintColumn:
    """A function that adds a column of fingerprints: ``ds.map(fingerprints("text"), batched=True, num_proc=4)``.

    Parameters
    ----------
    column : str
        Of the texts.
    output : str
        Of the fingerprints: hexadecimal digits as the command line prints them, null where a text has none.
    profile : str or Profile
    threads : int
        Of each process of `map`.

    Examples
    --------
    >>> import leitong
    >>> leitong.adapters.fingerprints("text")({"text": ["The ferry leaves the island at nine.", None]})
    {'fingerprint': ['43b1c0da018e4edc', None]}
    """
    text = profile_text(profile)
    id = profile_of(text).id
    if id is None:
        raise UsageError(f"the profile {text!r} needs a dictionary that is not here: see `leitong data list`")
    return FingerprintColumn(column, output, text, id, threads)


def dedup(
    dataset: Any, column: str = "text", *, id: str = "id", against: Any = None, progress: ProgressLike = None, **settings: Any
) -> Any:
    """The rows of a dataset that stay, by `Dataset.select`; rows without a text do not.

    Parameters
    ----------
    dataset : datasets.Dataset
        One split, that is no stream.
    column, id : str
        Of the text, and of the id if there is one.
    against : Dataset, list, path, optional
        As of `Dedup`: what resembles a record of these is not kept either, such as a test split.
    progress : None, True or a function
    **settings
        Of `Dedup`.

    Returns
    -------
    datasets.Dataset

    Examples
    --------
    >>> import datasets, leitong
    >>> ds = datasets.Dataset.from_dict({"text": ["the ship sails at nine.", "bread", "The ship sails at nine!"], "n": [1, 2, 3]})
    >>> leitong.adapters.dedup(ds)["n"][:]
    [1, 2]
    """
    if not hasattr(dataset, "select_columns") or not hasattr(dataset, "select"):
        raise UsageError(f"dedup takes one split that is no stream (datasets.Dataset), not {type(dataset).__name__}")
    job = Dedup(**settings)
    wanted = [name for name in dict.fromkeys([column, id, *keep_fields(job.keep)]) if name in dataset.column_names]
    if column not in wanted:
        raise UsageError(f"the dataset has no column {column!r}, only {', '.join(dataset.column_names)}")
    result = job(dataset.select_columns(wanted), text=column, id=id, against=against, progress=progress)
    return dataset.select(need("numpy", "dedup").flatnonzero(result.keep_mask))
