"""Blocks of rows of Parquet files: cut and joined to a size, read when needed."""

import os
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import accumulate, pairwise
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from pairsift._words import did_you_mean, listing
from pairsift.distributed._sources import StreamedSource
from pairsift.exceptions import DataError

BLOCK_BYTES = 2**25
"""Size of a block: 8 bytes for each value, or what the file says if that is more."""
SUFFIXES = (".parquet", ".pq")
# Bytes of a column that are read from the disk at once where a row group is cut.
_BUFFER = 2**18
_INDEX = re.compile(r"__index_level_\d+__")


class Group(NamedTuple):
    """A row group of a file."""

    path: str
    number: int
    n_rows: int
    n_bytes: int


class Part(NamedTuple):
    """Rows of one file: whole row groups, or some rows of one."""

    path: str
    groups: tuple[int, ...]
    first: int
    """Rows of the group that are left out before them."""
    n_rows: int
    is_whole: bool

    @property
    def name(self) -> str:
        """What errors call it."""
        a, b = self.groups[0], self.groups[-1]
        return f"{self.path}, row group{f' {a}' if a == b else f's {a} to {b}'}"


@dataclass(frozen=True)
class Band:
    """Files that have equal columns: their rows follow one another.

    kinds : of each column, whether it holds numbers, text, ...
    """

    kinds: dict[str, str]
    groups: list[Group]

    @property
    def columns(self) -> list[str]:
        """Names of the columns, those of a named index first."""
        return list(self.kinds)

    @property
    def n_rows(self) -> int:
        """Number of rows of all files."""
        return sum(group.n_rows for group in self.groups)


@dataclass(frozen=True)
class BlockReader:
    """Reads a block; can be sent to another process.

    parts : for each band, the places of its rows and the columns wanted of it.
    """

    parts: tuple[tuple[tuple[Part, ...], tuple[str, ...]], ...]
    columns: tuple[str, ...]

    def __call__(self) -> Any:
        """Return the block as a data frame."""
        import pyarrow as pa

        bands = [
            pa.concat_tables(
                [_read_part(part, columns) for part in parts],
                promote_options="permissive",
            )
            for parts, columns in self.parts
        ]
        table = bands[0]
        for band in bands[1:]:
            for field in band.schema:
                table = table.append_column(field, band[field.name])
        table = table.select(list(self.columns))
        del bands
        # Indices of pandas are columns here, or left out: see _kinds_of.
        return table.to_pandas(ignore_metadata=True, self_destruct=True)

    @property
    def name(self) -> str:
        """What errors call the block."""
        parts = [part.name for parts, _ in self.parts for part in parts]
        return listing(dict.fromkeys(parts), most=2)


class ParquetSource(StreamedSource):
    """The rows of a Parquet file, or of a folder of them, read block by block.

    Parameters
    ----------
    path : path-like
        A Parquet file, or a folder whose Parquet files make one table. Files with equal
        columns follow one another in the order of their names (numbers in names by
        their value); files with other columns stand beside them, row by row.
    columns : sequence of str, default=None
        Columns to read, in their order; None for all. The index of a data frame that
        pandas wrote is a column if it has a name, and left out if not.
    block_bytes : int, default=2**25
        Size of a block: 8 bytes for each value, or what the file says that the rows
        take without compression if that is more. Row groups that are larger are cut,
        smaller ones are joined.
    most_blocks : int, default=2
        Blocks that are held, and worked on by a thread each, at the same time.

    Raises
    ------
    DataError
        If the files cannot be read, or make no table; the file is named.
    ImportError
        If pyarrow is missing.

    Notes
    -----
    A block takes several times its size while it is read, checked and worked on, and a
    row group that is cut holds the pages that are being read, in most files about 2 MB
    for each column. Measured with two blocks of 32 MB, from row groups of a million
    rows and 50 columns: 0.5 GB beside the program itself.

    Blocks are read in order by the thread that calls, so that a row group that is cut
    is read once in a pass. On a cluster (:func:`pairsift.distributed.fit`), each thread
    of a worker reads the rows of such a row group that come before its own, too: write
    row groups that are no larger than a block.
    """

    def __init__(
        self,
        path: str | PathLike[str],
        columns: Sequence[str] | None = None,
        *,
        block_bytes: int = BLOCK_BYTES,
        most_blocks: int = 2,
    ) -> None:
        self.path = os.fspath(path)
        self.bands = bands_of(Path(path))
        known = [name for band in self.bands for name in band.columns]
        self.columns = known if columns is None else list(columns)
        for name in self.columns:
            if name not in known:
                raise DataError(
                    f"{path} has no column {name!r}{did_you_mean(name, known)}: it "
                    f"has {listing(known, most=10)}."
                )
        edges = _edges(self.bands, len(self.columns), block_bytes)
        readers = [self._reader(first, last) for first, last in pairwise(edges)]
        sizes = [last - first for first, last in pairwise(edges)]
        super().__init__(readers, sizes, most_blocks)

    @property
    def kinds(self) -> dict[str, str]:
        """Of each column that is read: number, boolean, text or its Arrow type."""
        every = {name: kind for band in self.bands for name, kind in band.kinds.items()}
        return {name: every[name] for name in self.columns}

    def name(self, number: int) -> str:
        reader: Any = self.readers[number]
        return f"block {number} ({reader.name})"

    name.__doc__ = StreamedSource.name.__doc__

    def _reader(self, first: int, last: int) -> BlockReader:
        wanted = set(self.columns)
        parts = [
            (_parts(band, first, last), tuple(c for c in band.columns if c in wanted))
            for band in self.bands
        ]
        return BlockReader(
            # Of a band without a wanted column nothing is read.
            tuple((found, columns) for found, columns in parts if columns),
            tuple(self.columns),
        )

    def _reading(self, number: int) -> Callable[[], Any]:
        """Read a block now: out of turn, a row group that is cut would be read anew."""
        block = self.readers[number]()
        return lambda: block


def bands_of(path: Path) -> list[Band]:
    """Look into the Parquet files of a path, without reading their rows."""
    pq = _pyarrow_parquet()
    bands: dict[frozenset[str], Band] = {}
    first_file: dict[str, str] = {}
    for file in _files_of(path):
        with _explained(str(file)):
            about = pq.ParquetFile(file)
            kinds, metadata = _kinds_of(about, file), about.metadata
        band = bands.setdefault(frozenset(kinds), Band(kinds, []))
        for name, kind in kinds.items():
            other = first_file.setdefault(name, str(file))
            if band.kinds[name] != kind:
                raise DataError(
                    f"column {name!r} is {band.kinds[name]} in {other} and {kind} in "
                    f"{file}: write it with one type."
                )
        for number in range(metadata.num_row_groups):
            group = metadata.row_group(number)
            band.groups.append(
                Group(str(file), number, group.num_rows, group.total_byte_size)
            )
    _check_bands(path, list(bands.values()))
    return list(bands.values())


def _check_bands(path: Path, bands: list[Band]) -> None:
    names = [name for band in bands for name in band.columns]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        files = [b.groups[0].path for b in bands if twice in b.columns and b.groups]
        raise DataError(
            f"column {twice!r} stands in files of {path} that differ in other columns, "
            f"{listing(files, most=2)}: files have equal columns, or none in common."
        )
    if not names:
        raise DataError(f"{path} has no columns.")
    if bands[0].n_rows == 0:
        raise DataError(f"{path} has no rows.")
    for band in bands[1:]:
        if band.n_rows != bands[0].n_rows:
            raise DataError(
                f"{path} has files of {bands[0].n_rows:,} rows with the column "
                f"{bands[0].columns[0]!r} and of {band.n_rows:,} rows with "
                f"{band.columns[0]!r}: columns that stand side by side have equally "
                "many rows."
            )


def _files_of(path: Path) -> list[Path]:
    if not path.exists():
        raise DataError(f"there is no file or folder {str(path)!r}.")
    if not path.is_dir():
        return [path]
    inside = [file for file in path.iterdir() if file.name[0] not in "._"]
    files = [file for file in inside if file.suffix.lower() in SUFFIXES]
    folders = [file.name for file in inside if file.is_dir()]
    if folders:
        raise DataError(
            f"{path} has folders inside, {listing(sorted(folders), most=3)}: a folder "
            "of Parquet files has none, and columns that are names of folders are not "
            "read; give one of them, or write the table again without partitions."
        )
    if not files:
        raise DataError(f"{path} is a folder without Parquet files ({SUFFIXES[0]}).")
    return sorted(files, key=_in_order)


def _in_order(file: Path) -> list[Any]:
    """Sort part.10 behind part.9: pieces of a name are text and numbers by turns."""
    pieces = re.split(r"(\d+)", file.name)
    return [int(piece) if k % 2 else piece for k, piece in enumerate(pieces)]


def _kinds_of(about: Any, file: Path) -> dict[str, str]:
    """Return the kind of each column of a file."""
    schema = about.schema_arrow
    if len(set(schema.names)) < len(schema.names):
        names = schema.names
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(f"{file} has more than one column {twice!r}: rename one.")
    index = [
        name
        for name in (schema.pandas_metadata or {}).get("index_columns", [])
        if isinstance(name, str) and name in schema.names
    ]
    names = [*index, *(name for name in schema.names if name not in index)]
    return {
        name: _kind(schema.field(name).type)
        for name in names
        if not _INDEX.fullmatch(name)
    }


def _kind(dtype: Any) -> str:
    from pyarrow import types

    if types.is_integer(dtype) or types.is_floating(dtype):
        return "number"
    if types.is_boolean(dtype):
        return "boolean"
    if types.is_dictionary(dtype):
        return "category"
    if types.is_string(dtype) or types.is_large_string(dtype):
        return "text"
    return str(dtype)


def _edges(bands: list[Band], n_columns: int, block_bytes: int) -> list[int]:
    """Return where blocks begin and end: at row groups, or inside large ones."""
    n_bytes = sum(group.n_bytes for band in bands for group in band.groups)
    row_bytes = max(8 * n_columns, n_bytes / bands[0].n_rows)
    most = max(1, int(block_bytes / row_bytes))
    edges = [0]
    for group in bands[0].groups:
        end = edges[-1] + group.n_rows
        if len(edges) > 1 and end - edges[-2] <= most:
            edges[-1] = end
        elif group.n_rows <= most:
            edges.append(end)
        elif group.n_rows:
            # As equal as can be, so that the last is not a small one.
            n_cuts = -(-group.n_rows // most)
            begin = edges[-1]
            edges += [begin + group.n_rows * k // n_cuts for k in range(1, n_cuts + 1)]
    return list(dict.fromkeys(edges))


def _parts(band: Band, first: int, last: int) -> tuple[Part, ...]:
    """Return the places of some rows, whole row groups of a file together."""
    parts: list[Part] = []
    ends = list(accumulate(group.n_rows for group in band.groups))
    for group, end in zip(band.groups, ends, strict=True):
        begin = end - group.n_rows
        low, high = max(first, begin), min(last, end)
        if low >= high:
            continue
        is_whole = high - low == group.n_rows
        if is_whole and parts and parts[-1].is_whole and parts[-1].path == group.path:
            before = parts.pop()
            groups, n_rows = (*before.groups, group.number), before.n_rows + high - low
            parts.append(Part(group.path, groups, 0, n_rows, True))
        else:
            place = (group.number,)
            parts.append(Part(group.path, place, low - begin, high - low, is_whole))
    return tuple(parts)


def _read_part(part: Part, columns: tuple[str, ...]) -> Any:
    """Return rows of a file as an Arrow table."""
    import pyarrow.parquet as pq

    with _explained(part.name):
        if part.is_whole:
            file = pq.ParquetFile(part.path)
            table = file.read_row_groups(list(part.groups), columns=list(columns))
            table = table.select(list(columns))
        else:
            table = _cursor(part, columns).take(part.n_rows)
        if table.num_rows != part.n_rows:
            raise DataError(
                f"{part.name}, has {table.num_rows:,} rows where it had "
                f"{part.n_rows:,}: data must not change during a fit."
            )
        return table


class _Cursor:
    """Reads a row group from its beginning to its end, some rows at a time."""

    def __init__(self, part: Part, columns: tuple[str, ...]) -> None:
        import pyarrow.parquet as pq

        self.place = 0
        self._columns = list(columns)
        # Through small buffers: the compressed columns as a whole may be large.
        file = pq.ParquetFile(part.path, buffer_size=_BUFFER, pre_buffer=False)
        self._batches = file.iter_batches(
            part.n_rows, row_groups=list(part.groups), columns=self._columns
        )
        self._left: Any = None

    def skip(self, n_rows: int, at_once: int) -> None:
        """Leave out some rows."""
        while n_rows > 0:
            n_rows -= self.take(min(n_rows, at_once)).num_rows or n_rows

    def take(self, n_rows: int) -> Any:
        """Return the next rows, fewer only at the end."""
        import pyarrow as pa

        batches, n_missing = [], n_rows
        while n_missing:
            batch = self._left if self._left is not None else next(self._batches, None)
            self._left = None
            if batch is None:
                break
            if batch.num_rows > n_missing:
                self._left = batch.slice(n_missing)
                batch = batch.slice(0, n_missing)
            batches.append(batch)
            n_missing -= batch.num_rows
        self.place += n_rows - n_missing
        if not batches:
            return pa.table({name: [] for name in self._columns})
        return pa.Table.from_batches(batches).select(self._columns)


# Of each thread, the row groups that it has begun to read.
_begun = threading.local()


def _cursor(part: Part, columns: tuple[str, ...]) -> _Cursor:
    """Return the cursor of a row group, at the place of a part."""
    cursors: dict[Any, _Cursor] = _begun.__dict__.setdefault("cursors", {})
    about = os.stat(part.path)
    # Of a file that was written again, nothing is left to read on.
    key = part.path, part.groups, columns, about.st_mtime_ns, about.st_size
    cursor = cursors.pop(key, None)
    if cursor is None or cursor.place > part.first:
        cursor = _Cursor(part, columns)
    cursor.skip(part.first - cursor.place, part.n_rows)
    # One row group for each band, which has its own columns.
    for other in [other for other in cursors if other[2] == columns]:
        del cursors[other]
    cursors[key] = cursor
    return cursor


@contextmanager
def _explained(where: str) -> Iterator[None]:
    """Say what could not be read."""
    import pyarrow as pa

    try:
        yield
    except DataError:
        raise
    except (OSError, pa.ArrowException) as error:
        said = " ".join(str(error).split()).rstrip(".")
        raise DataError(f"{where}, cannot be read: {said}.") from error


def _pyarrow_parquet() -> Any:
    try:
        import pyarrow.parquet
    except ImportError:
        raise ImportError(
            "reading Parquet files takes pyarrow: pip install pyarrow."
        ) from None
    return pyarrow.parquet
