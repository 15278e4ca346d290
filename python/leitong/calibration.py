"""How right deduplication is on texts of your own, by labelled pairs."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _core
from ._errors import UsageError
from ._progress import ProgressLike, reporting
from ._records import as_input, keep_fields, path_text
from .dedup import Dedup

_LABELS = ("yes", "no", "unsure")


@dataclass(frozen=True)
class PairToLabel:
    """A pair to be labelled, blind: number, ids and texts. A long text is cut."""

    number: int
    a_id: Any
    a: str
    b_id: Any
    b: str


@dataclass(frozen=True)
class Estimate:
    """What labels mean.

    Attributes
    ----------
    threshold : float or None
        The lowest whose precision reaches the target with 95 % confidence; None: no threshold is known to.
    rule : Path or None
        The rule with it, for `Dedup(rule=...)`.
    findings : list of str
        The most important first.
    figures : dict
        calibration.json: precision and recall with intervals, by similarity, distance and threshold.
    """

    threshold: float | None
    rule: Path | None
    findings: list[str]
    figures: dict[str, Any]


class Calibration:
    """Pairs that were drawn to be labelled; label.html in its directory is a page to do it, `estimate` takes the labels.

    Attributes
    ----------
    output_dir : Path
    pairs : list of PairToLabel
    """

    def __init__(self, output_dir: str | Path) -> None:
        self.output_dir = Path(output_dir)
        if not (self.output_dir / "pairs.jsonl").exists():
            raise UsageError(f"{output_dir} holds no pairs that calibrate has drawn")

    def __repr__(self) -> str:
        return f"<Calibration {str(self.output_dir)!r}: {len(self.pairs)} pairs>"

    @property
    def pairs(self) -> list[PairToLabel]:
        """The pairs, in an order that says nothing of them."""
        with (self.output_dir / "pairs.jsonl").open("rb") as lines:
            read = [json.loads(line) for line in lines]
        return [PairToLabel(p["pair"], p["a"]["id"], p["a"]["text"], p["b"]["id"], p["b"]["text"]) for p in read]

    def estimate(self, labels: dict[int, str] | str | Path, *, precision: float = 0.95) -> Estimate:
        """Precision and recall of each threshold, and the one to take.

        Parameters
        ----------
        labels : dict of pair number and "yes", "no" or "unsure", or path
            Or the file that label.html saves.
        precision : float
            What to reach, with 95 % confidence.
        """
        if not isinstance(labels, dict):
            return self._estimate(path_text(labels), precision)
        for number, label in labels.items():
            if label not in _LABELS:
                raise UsageError(f"the label of pair {number} is {label!r}: a label is one of {', '.join(_LABELS)}")
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
            json.dump([{"pair": number, "label": label} for number, label in labels.items()], file)
            file.flush()
            return self._estimate(file.name, precision)

    def _estimate(self, labels: str, precision: float) -> Estimate:
        threshold, findings = _core.calibrate(str(self.output_dir), labels, precision)
        rule = self.output_dir / "rule.toml"
        figures = json.loads((self.output_dir / "calibration.json").read_bytes())
        return Estimate(threshold, rule if rule.exists() else None, findings, figures)


def calibrate(
    source: Any,
    output_dir: str | Path,
    *,
    text: str = "text",
    id: str = "id",
    least_similarity: float = 0.4,
    per_band: int = 40,
    seed: int = 1,
    overwrite: bool = False,
    progress: ProgressLike = None,
    **settings: Any,
) -> Calibration:
    """Draw pairs of every similarity for a person to label.

    Parameters
    ----------
    source : path, or records
        Files, or records as `Dedup` takes them.
    output_dir : path
    least_similarity : float
        Pairs below are not looked at.
    per_band : int
        Pairs drawn of each tenth of similarity.
    seed : int
    **settings
        As of `Dedup`.

    Returns
    -------
    Calibration

    Examples
    --------
    >>> import leitong, tempfile
    >>> drawn = leitong.calibrate("../examples/sample.jsonl", tempfile.mkdtemp() + "/cal")
    >>> estimate = drawn.estimate({pair.number: "yes" for pair in drawn.pairs})
    >>> len(estimate.findings) > 0
    True
    """
    dedup = Dedup(**settings)
    paths, tables = as_input(source, [text], [id, *keep_fields(dedup.keep)])
    options = dedup._options(text, id, paths=paths, output_dir=path_text(output_dir), overwrite=overwrite)
    options |= {"least_similarity": least_similarity, "per_band": per_band, "seed": seed}
    with reporting(progress) as report:
        _core.draw_pairs(options, tables, report)
    return Calibration(output_dir)
