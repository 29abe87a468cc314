"""``pairsift select`` on Parquet files that are not loaded: read block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from pairsift._checks import MAX_COUNTED, available_memory
from pairsift.cli._checks import (
    constant_and_gaps,
    label_warnings,
    name_warnings,
    refuse_columns,
    use_warnings,
)
from pairsift.cli._console import Messages
from pairsift.cli._draws import refuse_unknown
from pairsift.cli._id_lookup import find_ids, words_in
from pairsift.cli._loading import Reading
from pairsift.cli._piles_file import read_piles
from pairsift.cli._ranking import as_data_error, collecting_warnings
from pairsift.cli._tables import (
    check_cells,
    check_column,
    join_pairs,
    labelled_pairs,
    read_constraints,
    read_ids,
    read_labels,
    refuse_dates,
    rounding_notes,
)
from pairsift.constraints import encode_labels
from pairsift.distributed import (
    MappedSource,
    ParquetSource,
    Source,
    fit,
    on_cluster,
    open_client,
    path_for_workers,
    take_rows,
)
from pairsift.exceptions import DataError
from pairsift.reports import Ranking, Table, ranked_features

if TYPE_CHECKING:
    import pandas as pd

    from pairsift._blocks import Extremes
    from pairsift._typing import FloatArray, IndexArray
    from pairsift.constraints import PairConstraints
    from pairsift.selectors import Method

LARGE_SHARE = 0.25
"""Share of the memory that is left above which a file is not loaded."""
SUFFIXES = (".parquet", ".pq")
WITHOUT_ROWS = (
    "rows were read in blocks and not kept, so that pictures of them are left out; "
    "--enough-rows ranks a draw of rows, with pictures"
)
"""What the report says where it would show rows."""


@dataclass(frozen=True)
class Where:
    """Where blocks are worked on."""

    stream: bool | None = None
    """None decides by the size of the file."""
    dask: bool = False
    scheduler: str | None = None

    @property
    def is_cluster(self) -> bool:
        """Whether that is a Dask cluster."""
        return self.dask or self.scheduler is not None


def is_in_blocks(path: Path, where: Where) -> bool:
    """Tell whether a file is read block by block, from its size and the options."""
    is_folder = path.is_dir() and any(is_parquet_name(file) for file in path.iterdir())
    is_parquet = is_folder or (path.is_file() and is_parquet_name(path))
    is_wanted = where.stream or where.is_cluster
    if is_wanted and where.stream is False:
        raise DataError("--no-stream goes neither with --dask nor with --scheduler.")
    if not is_parquet:
        # What is not there is refused where it would be loaded.
        if is_wanted and path.exists():
            raise DataError(
                f"{path} is not Parquet: --stream, --dask and --scheduler read Parquet "
                "files, or a folder of them."
            )
        return False
    if is_wanted or is_folder:
        return True
    if where.stream is False:
        return False
    try:
        with _installed():
            source = ParquetSource(path)
    except DataError:
        # What cannot be read is refused where it would be loaded.
        return False
    cells = 8.0 * sum(source.sizes or ()) * len(source.columns)
    return cells > LARGE_SHARE * available_memory()


def is_parquet_name(path: Path) -> bool:
    """Tell whether a file is named like a Parquet file."""
    return path.suffix.lower() in SUFFIXES


@dataclass(frozen=True)
class Streamed:
    """A table of which only labels, and what names its rows, are in memory."""

    path: Path
    id_column: str | None
    source: Source
    """The features, as the columns of a loaded table would be."""
    names: list[str]
    table: Table
    """Without features."""
    low: FloatArray
    width: FloatArray
    extremes: Extremes
    """Of columns of numbers; inf and -inf of the others."""
    words: list[str]
    """Columns that are categorical, whatever they hold."""

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.names)

    @property
    def has_gaps(self) -> bool:
        """Whether values are missing."""
        return bool(self.extremes.n_missing.any())

    def with_piles(self, path: Path) -> Table:
        """Return the table with the piles of a file as its labels."""
        import pandas as pd

        n_rows, words = len(self.table.features), words_in(path, ["row"])
        if self.id_column is None:
            found = [w for w in words if w.isdecimal() and int(w) < n_rows]
            rows = np.array([int(word) for word in found], dtype=np.int64)
        else:
            found, rows = find_ids(self.path, self.id_column, words)
        some = pd.DataFrame(index=range(len(found)))
        labels = np.full(n_rows, None, dtype=object)
        few = replace(self.table, features=some, ids=found)
        labels[rows] = read_piles(path, few).labels
        return replace(self.table, labels=labels, missing_label=None)

    def pairs(self, path: Path) -> PairConstraints:
        """Read pairs of row ids, which are looked up in the file, or of row numbers."""
        import pandas as pd

        from pairsift.constraints import PairConstraints

        if self.id_column is None:
            return read_constraints(path, self.table)
        words = words_in(path, ["a", "b"])
        found, rows = find_ids(self.path, self.id_column, words)
        some = Table(pd.DataFrame(index=range(len(found))), ids=found)
        few = read_constraints(path, some)
        must, cannot = rows[few.must_link], rows[few.cannot_link]
        return PairConstraints(must, cannot, n_samples=len(self.table.features))

    def X(self, is_scaled: bool) -> Source:
        """Return the blocks of features, numbers scaled to 0..1 if wanted."""
        if not is_scaled:
            return self.source
        return MappedSource(self.source, partial(_scaled, self.low, self.width))

    def with_features(self, table: Table) -> Table:
        """Return a draw with its features and ids; the whole table as it is."""
        if table.n_drawn_from is None:
            return table
        # Rows of a draw from a table without ids are named by their numbers.
        rows = np.array([int(name) for name in table.ids or ()], dtype=np.int64)
        features, ids = _taken(self.source, self.path, self.id_column, rows)
        return replace(table, features=features, ids=ids)

    def rank(
        self,
        selector_class: Any,
        method: Method,
        parameters: dict[str, Any],
        table: Table,
        constraints: PairConstraints | None,
        messages: Messages,
        *,
        is_scaled: bool,
        uses_labels: bool,
        answers: None,
    ) -> Ranking:
        """Fit a selector to the blocks; passes are shown as they come."""
        check_streaming(method)
        n_missing = self.extremes.n_missing
        incomplete = [c for c, n in zip(self.names, n_missing, strict=True) if n]
        has_pairs = constraints is not None
        refuse_columns(method, table, has_pairs, incomplete, self.words)
        selector, learns = selector_class(**parameters), method.learns_from
        labels = table.labels if uses_labels else None
        pairs, n_labelled = constraints, 0
        with collecting_warnings() as raised, as_data_error():
            if table.labels is not None:
                codes = encode_labels(table.labels, table.missing_label)[0]
                n_labelled = int(np.count_nonzero(codes >= 0))
            if labels is not None and constraints is not None and learns.from_pairs:
                must = "must" in learns.kinds
                more = labelled_pairs(table, learns.most_pairs, with_must_links=must)
                pairs = join_pairs(constraints, more, table)
            missing_label = table.missing_label
            fit(selector, self.X(is_scaled), labels, pairs, missing_label=missing_label)
        n_used = int(selector.n_constraints_used_)
        return Ranking(
            method=method,
            parameters=selector.get_params(),
            table=table,
            constraints=pairs,
            n_labelled=n_labelled,
            n_constraints_used=n_used,
            features=ranked_features(selector, self.names),
            warnings=[
                *constant_and_gaps(self.names, self.extremes),
                *name_warnings(self.names),
                *label_warnings(table),
                *use_warnings(method, n_used, labels, constraints, pairs),
                *raised,
            ],
            fit=None,
            n_labelled_pairs=_n_pairs(pairs) - _n_pairs(constraints) if n_used else 0,
            without_rows=WITHOUT_ROWS,
        )


@contextmanager
def opened(
    path: Path, where: Where, reading: Reading, messages: Messages
) -> Iterator[Streamed]:
    """Look at a table in blocks: its columns, labels and ranges; close the cluster."""
    with ExitStack() as stack, _installed():
        reading = reading.among(ParquetSource(path).columns)
        names = _feature_names(path, reading)
        files = ParquetSource(path, names)
        _refuse_wrong_text(files, reading)
        if where.is_cluster:
            with messages.progress("Starting the cluster"), _answering():
                stack.enter_context(open_client(where.scheduler))
            files = ParquetSource(path_for_workers(path), names)
        source = MappedSource(
            _Shown(on_cluster(files), files, messages), _preparing(files, reading)
        )
        with as_data_error():
            extremes = _ranges(source, len(names))
        low, high, _ = extremes.known()
        for note in _number_notes(path, names, low, high):
            messages.note(note)
        yield Streamed(
            path,
            reading.id_column,
            source,
            names,
            _labelled(path, sum(files.sizes or ()), reading),
            low,
            np.where(high > low, high - low, 1.0),
            extremes,
            _text_columns(files.kinds, reading),
        )


def _number_notes(
    path: Path, names: Sequence[str], low: FloatArray, high: FloatArray
) -> list[str]:
    """Refuse dates that are numbers, and say which numbers are rounded.

    The first block tells, of columns whose extremes of all rows fit.
    """
    may_be_dates = (low >= 1e7) & (high < 1e8)
    is_large = np.maximum(high, -low) >= MAX_COUNTED
    suspects = [names[j] for j in np.flatnonzero(may_be_dates | is_large).tolist()]
    if not suspects:
        return []
    head = ParquetSource(path, suspects).readers[0]()
    check_cells(head)
    return rounding_notes(head)


def read_rows(
    path: Path, reading: Reading, choose: Callable[[int], IndexArray]
) -> Table:
    """Read the rows of a table in blocks that are chosen when their number is known."""
    with _installed():
        reading = reading.among(ParquetSource(path).columns)
        files = ParquetSource(path, _feature_names(path, reading))
        _refuse_wrong_text(files, reading)
    n_all = sum(files.sizes or ())
    rows = choose(n_all)
    source = MappedSource(files, _preparing(files, reading))
    with as_data_error():
        features, ids = _taken(source, path, reading.id_column, rows)
    return Table(features, ids=ids, n_drawn_from=n_all if n_all > rows.size else None)


def read_columns(
    path: Path, names: Sequence[str], na: Sequence[str], rows: IndexArray
) -> pd.DataFrame:
    """Read some rows of columns that are no features."""
    known = ParquetSource(path).columns
    for name in names:
        refuse_unknown(path, name, known)
    source = MappedSource(ParquetSource(path, names), partial(_masked, tuple(na)))
    with as_data_error():
        return take_rows(source, rows)


def _taken(
    source: Source, path: Path, id_column: str | None, rows: IndexArray
) -> tuple[pd.DataFrame, list[str]]:
    """Return the features of some rows, and their ids or else their numbers."""
    features = take_rows(source, rows)
    check_cells(features)
    if id_column is None:
        return features, [str(row) for row in rows]
    return features, read_ids(
        take_rows(ParquetSource(path, [id_column]), rows)[id_column]
    )


def _preparing(
    files: ParquetSource, reading: Reading
) -> Callable[[pd.DataFrame], pd.DataFrame]:
    types = dict.fromkeys(reading.categorical, "category")
    for name, kind in files.kinds.items():
        # Pandas holds them as objects, which would not be scaled.
        if kind.startswith("decimal"):
            types.setdefault(name, "float64")
    return partial(_prepared, tuple(reading.na), types)


def _feature_names(path: Path, reading: Reading) -> list[str]:
    columns = ParquetSource(path).columns
    for column, option in reading.named():
        check_column(columns, column, option, path)
    left_out = {reading.label, reading.id_column, *reading.drop}
    names = [name for name in columns if name not in left_out]
    if not names:
        raise DataError(f"{path} has no column left to rank.")
    return names


def check_streaming(
    method: Method, *, is_drawn: bool = False, is_spread: bool = False
) -> None:
    """Refuse what does not work on blocks, a method by name."""
    from pairsift.selectors import selector_classes

    if is_drawn:
        return
    if is_spread:
        raise DataError(
            "--spread needs all rows at once: draw rows (--max-samples N), or load the "
            "file (--no-stream)."
        )
    if not method.dask:
        names = [cls._method.name for cls in selector_classes() if cls._method.dask]
        raise DataError(
            f"{method.name} does not work on blocks of rows: draw rows (--enough-rows, "
            "or --max-samples N), load the file (--no-stream), or take one of "
            f"{', '.join(names)}."
        )


def _n_pairs(pairs: PairConstraints | None) -> int:
    return 0 if pairs is None else pairs.n_must_link + pairs.n_cannot_link


@contextmanager
def _installed() -> Iterator[None]:
    """Say in one line what to install."""
    try:
        yield
    except ImportError as error:
        raise DataError(str(error)) from error


@contextmanager
def _answering() -> Iterator[None]:
    """Say in one line that no scheduler answers."""
    try:
        yield
    except ConnectionError as error:
        raise DataError(f"--scheduler: {error}") from error


class _Shown(Source):
    """Blocks whose passes are shown on a terminal."""

    def __init__(
        self, source: Source, files: ParquetSource, messages: Messages
    ) -> None:
        self._source, self._files, self._messages = source, files, messages
        self.n_blocks, self.sizes = source.n_blocks, source.sizes
        self._n_passes = 0

    def reduce(
        self,
        partial: Callable[..., Any],
        merge: Callable[[Any, Any], Any],
        numbers: Sequence[int],
        own: Sequence[tuple[Any, ...]],
        shared: tuple[Any, ...],
    ) -> Any:
        """Run a function on some blocks, and show how far it has come."""
        self._n_passes += 1
        text = f"Pass {self._n_passes} over {len(numbers):,} blocks"
        # Workers do not tell when a block is done.
        total = float(len(numbers)) if self._source is self._files else None
        with self._messages.progress(text, total) as advance:
            self._files.on_block = advance
            return self._source.reduce(partial, merge, numbers, own, shared)

    def name(self, number: int) -> str:
        """Return what errors call a block."""
        return self._source.name(number)


def _prepared(
    na: tuple[str, ...], types: dict[str, str], frame: pd.DataFrame
) -> pd.DataFrame:
    """Return a block as the columns of a loaded table would be."""
    frame = _masked(na, frame)
    check_cells(frame, odd=False)
    return frame.astype(types)


def _masked(na: tuple[str, ...], frame: pd.DataFrame) -> pd.DataFrame:
    """Return a block without the cells that mean a missing value."""
    import pandas as pd

    if not na:
        return frame
    numbers = pd.to_numeric(pd.Series(na), errors="coerce").dropna()
    return frame.mask(frame.isin([*na, *numbers]))


def _scaled(low: FloatArray, width: FloatArray, frame: pd.DataFrame) -> pd.DataFrame:
    """Bring the numeric columns of a block to 0..1, by the ranges of all blocks."""
    is_number = [dtype.kind in "iuf" for dtype in frame.dtypes]
    if all(is_number):
        cells = frame.to_numpy(dtype=np.float64, na_value=np.nan)
        return type(frame)((cells - low) / width, columns=frame.columns, copy=False)
    scaled = frame.copy()
    for j in np.flatnonzero(is_number).tolist():
        column = frame.iloc[:, j].to_numpy(dtype=np.float64, na_value=np.nan)
        scaled[frame.columns[j]] = (column - low[j]) / width[j]
    return scaled


def _ranges(source: Source, n_columns: int) -> Extremes:
    every = range(source.n_blocks)
    found: Extremes = source.reduce(
        _extremes, _wider, every, [()] * len(every), (n_columns,)
    )
    return found


def _extremes(frame: pd.DataFrame, n_columns: int) -> Extremes:
    """Return the extremes of the numeric columns, and the gaps of all."""
    from pairsift._blocks import Extremes

    low, high = np.full(n_columns, np.inf), np.full(n_columns, -np.inf)
    is_number = np.array([dtype.kind in "iuf" for dtype in frame.dtypes])
    if is_number.any():
        cells = frame.iloc[:, np.flatnonzero(is_number)].to_numpy(np.float64)
        low[is_number] = np.fmin.reduce(cells, axis=0, initial=np.inf)
        high[is_number] = np.fmax.reduce(cells, axis=0, initial=-np.inf)
    return Extremes(low, high, frame.isna().sum().to_numpy())


def _wider(first: Extremes, later: Extremes) -> Extremes:
    return first.then(later)


def _refuse_wrong_text(source: ParquetSource, reading: Reading) -> None:
    """Refuse text that is meant as dates or numbers, as far as the first block tells.

    Odd cells of later blocks are warned of when all are known.
    """
    import pandas as pd

    from pairsift.selectors import find_odd_cells

    names = [
        name
        for name in _text_columns(source.kinds, reading)
        # What is declared is meant.
        if name not in reading.categorical and source.kinds[name] != "category"
    ]
    if not names:
        return
    head = _masked(tuple(reading.na), ParquetSource(source.path, names).readers[0]())
    check_cells(head, odd=False)
    for name in names:
        refuse_dates(head[name])
        cells, odd = head[name].dropna(), find_odd_cells(head[name])
        if odd is not None:
            raise DataError(
                f"{odd.told(name)} (in the first block): write the column as numbers, "
                "with missing values there, or take it as words with --categorical."
            )
        if source.kinds[name] != "text" or not cells.size:
            continue
        if pd.to_numeric(cells, errors="coerce").notna().all():
            raise DataError(
                f"column {name!r} holds numbers that were written as text: write them "
                "as numbers, or take them as words with --categorical."
            )


def _text_columns(kinds: dict[str, str], reading: Reading) -> list[str]:
    """Return the columns that are neither numbers nor truth values."""
    numbers = ("number", "boolean", "decimal")
    return [
        name
        for name, kind in kinds.items()
        if name in reading.categorical or not kind.startswith(numbers)
    ]


def _labelled(path: Path, n_rows: int, reading: Reading) -> Table:
    """Return a table of labels without features."""
    import pandas as pd

    features = pd.DataFrame(index=pd.RangeIndex(n_rows))
    if reading.label is None:
        return Table(features)
    source = ParquetSource(path, [reading.label])
    blocks = [read()[reading.label] for read in source.readers]
    column = pd.concat(blocks, ignore_index=True)
    if reading.na:
        column = column.mask(column.astype(str).isin(list(reading.na)))
    labels, missing_label, notes = read_labels(column, reading.unlabelled)
    return Table(
        features,
        labels.to_numpy(),
        missing_label=missing_label,
        label_notes=notes,
    )
