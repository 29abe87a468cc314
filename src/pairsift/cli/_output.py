"""Files that a command writes: checked before the work, written after it."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pairsift._formulas import guarded_frame
from pairsift._replacing import followed, replacing
from pairsift.exceptions import DataError
from pairsift.reports import Ranking

if TYPE_CHECKING:
    from pairsift.constraints import PairConstraints

RANKING_SUFFIXES = (".csv", ".tsv", ".json", ".parquet")


def check_outputs(
    outputs: Iterable[Path | None], inputs: Iterable[Path | None]
) -> None:
    """Refuse paths that cannot be written, or would overwrite an input."""
    taken = {followed(path) for path in inputs if path is not None}
    for path in outputs:
        if path is None:
            continue
        if followed(path) in taken:
            raise DataError(f"{path} is given twice: write to another file.")
        taken.add(followed(path))
        _check_writable(path)


def check_kept(path: Path) -> None:
    """Refuse a pipe or a device for a file that is read again."""
    if path.exists() and not path.is_file():
        raise DataError(f"{path} must be a regular file, it is a pipe or a device.")


def check_ranking_suffix(path: Path | None) -> None:
    """Refuse a name that does not tell the format."""
    if path is not None and path.suffix.lower() not in RANKING_SUFFIXES:
        accepted = ", ".join(RANKING_SUFFIXES)
        raise DataError(f"--out {path}: the name must end in one of {accepted}.")


def write_ranking(ranking: Ranking, path: Path) -> None:
    """Write rank, feature, score and selected of all features.

    Names are guarded in the files that spreadsheets open, and exact in the others.
    """
    import pandas as pd

    suffix = path.suffix.lower()
    if suffix == ".json":
        lines = [feature.as_dict() for feature in ranking.features]
        text = json.dumps(lines, indent=2, ensure_ascii=False, allow_nan=False)
        with replacing(path) as draft:
            draft.write_text(text + "\n", encoding="utf-8")
        return
    frame = pd.DataFrame(
        [(f.rank, f.name, f.score, f.is_selected) for f in ranking.features],
        columns=["rank", "feature", "score", "selected"],
    )
    with replacing(path) as draft:
        if suffix == ".parquet":
            frame.to_parquet(draft, index=False)
        else:
            sign = "\t" if suffix == ".tsv" else ","
            guarded_frame(frame).to_csv(draft, index=False, sep=sign)


def replace_constraints(
    pairs: PairConstraints, path: Path, ids: Sequence[str] | None
) -> None:
    """Write pairs to a file that is at any time the old one or the new one, whole."""
    with replacing(path) as draft:
        pairs.to_csv(draft, ids)


def make_folder(path: Path) -> None:
    """Make a folder for output, with its parents."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise DataError(f"{path} exists and is no folder.") from None


def _check_writable(path: Path) -> None:
    folder = followed(path).parent if path.is_symlink() else path.parent
    if path.is_dir():
        raise DataError(f"{path} is a folder: give the name of a file.")
    if not folder.is_dir():
        raise DataError(f"cannot write {path}: there is no folder {str(folder)!r}.")
    try:
        if path.exists():
            is_writable = os.access(path, os.W_OK)
        else:
            # Only trying tells: access bits know nothing of read-only file systems.
            with tempfile.TemporaryFile(dir=folder):
                is_writable = True
    except OSError as error:
        raise DataError(f"cannot write {path}: {error.strerror}.") from error
    if not is_writable:
        raise DataError(f"cannot write {path}: permission denied.")
