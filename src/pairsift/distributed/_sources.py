"""Where blocks of rows come from: the protocol of the drivers, and the local one."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from pairsift._blocks import merged


class Source(ABC):
    """Tables in blocks of rows, in order, wherever they are: the protocol of a driver.

    A driver knows its blocks by number and runs functions on them. It knows no method,
    and methods know no driver: :func:`pairsift.distributed.fit` stands between them. A
    block is what a selector's own `fit` would take (an array or a data frame); all
    blocks have equal columns, and a block may be empty.

    Attributes
    ----------
    n_blocks : int
        Number of blocks.
    sizes : tuple of int or None
        Number of rows of each block. None where they are unknown: `fit` counts them
        in its first pass, and fills them in.
    """

    n_blocks: int
    sizes: tuple[int, ...] | None = None

    @abstractmethod
    def reduce(
        self,
        partial: Callable[..., Any],
        merge: Callable[[Any, Any], Any],
        numbers: Sequence[int],
        own: Sequence[tuple[Any, ...]],
        shared: tuple[Any, ...],
    ) -> Any:
        """Run a function on some blocks, and merge what it returns.

        Parameters
        ----------
        partial : callable
            ``partial(block, *own, *shared)`` returns a state. It is a function of a
            module, so that another process can import it.
        merge : callable
            ``merge(state, later_state)`` joins the states of neighbours.
        numbers : sequence of int
            Numbers of the blocks, ascending, at least one.
        own : sequence of tuple
            For each of these blocks, arguments of its own.
        shared : tuple
            Arguments of all blocks.

        Returns
        -------
        state : object
            The merged state. States are merged in the shape of
            :class:`pairsift._blocks.Tree`, so that results have equal bits for any
            driver and any number of workers.
        """

    def name(self, number: int) -> str:
        """Return what errors call a block.

        Parameters
        ----------
        number : int
            Number of the block, from 0.

        Returns
        -------
        name : str
            Its number, or the file and part that it comes from.
        """
        return f"block {number}"


def run_block(
    partial: Callable[..., Any],
    name: str,
    block: Any,
    own: tuple[Any, ...],
    shared: tuple[Any, ...],
) -> Any:
    """Call a function with a block; an error says in which."""
    try:
        return partial(block, *own, *shared)
    except Exception as error:
        error.add_note(f"This happened in {name}.")
        raise


class StreamedSource(Source):
    """Blocks that are read one after the other, in this process.

    Parameters
    ----------
    readers : sequence of callable
        Each returns a block when it is called; every pass over the data calls it again.
    sizes : sequence of int, default=None
        Number of rows of each block, where that is known.
    most_blocks : int, default=2
        Blocks that are held, and worked on by a thread each, at the same time.

    Attributes
    ----------
    on_block : callable or None
        Called without arguments whenever a block is done, to show progress.

    Examples
    --------
    >>> import numpy as np
    >>> from pairsift import VarianceScore, distributed
    >>> blocks = [np.array([[0.0, 1.0], [5.0, 1.0]]), np.array([[1.0, 1.0]])]
    >>> source = distributed.StreamedSource([lambda i=i: blocks[i] for i in range(2)])
    >>> distributed.fit(VarianceScore(1), source).get_support()
    array([ True, False])
    """

    def __init__(
        self,
        readers: Sequence[Callable[[], Any]],
        sizes: Sequence[int] | None = None,
        most_blocks: int = 2,
    ) -> None:
        self.readers = list(readers)
        self.n_blocks = len(self.readers)
        self.sizes = None if sizes is None else tuple(sizes)
        self.most_blocks = most_blocks
        self.on_block: Callable[[], None] | None = None

    def reduce(
        self,
        partial: Callable[..., Any],
        merge: Callable[[Any, Any], Any],
        numbers: Sequence[int],
        own: Sequence[tuple[Any, ...]],
        shared: tuple[Any, ...],
    ) -> Any:
        # In order, and a few at a time.
        return merged(self._told(partial, numbers, own, shared), merge)

    reduce.__doc__ = Source.reduce.__doc__

    def _told(self, *work: Any) -> Iterator[Any]:
        """Yield the states of blocks, and tell of each."""
        for state in self._states(*work):
            if self.on_block is not None:
                self.on_block()
            yield state

    def _reading(self, number: int) -> Callable[[], Any]:
        """Return the call with which a thread reads a block."""
        return self.readers[number]

    def _states(
        self,
        partial: Callable[..., Any],
        numbers: Sequence[int],
        own: Sequence[tuple[Any, ...]],
        shared: tuple[Any, ...],
    ) -> Iterator[Any]:
        def run(
            number: int, read: Callable[[], Any], arguments: tuple[Any, ...]
        ) -> Any:
            return run_block(partial, self.name(number), read(), arguments, shared)

        with ThreadPoolExecutor(self.most_blocks) as threads:
            waiting: deque[Future[Any]] = deque()
            try:
                for number, arguments in zip(numbers, own, strict=True):
                    if len(waiting) == self.most_blocks:
                        yield waiting.popleft().result()
                    read = self._reading(number)
                    waiting.append(threads.submit(run, number, read, arguments))
                    # A call may hold its block: it is the thread's alone.
                    del read
                while waiting:
                    yield waiting.popleft().result()
            finally:
                # After an error no other block is begun.
                for future in waiting:
                    future.cancel()


class MappedSource(Source):
    """Blocks of another source, each passed through a function when it is read.

    Parameters
    ----------
    source : Source
        Where the blocks are; the function runs there.
    function : callable
        ``function(block)`` returns a block with the rows of the one given. It can be
        sent to another process: a function of a module, or such a one with arguments
        (`functools.partial`).
    """

    def __init__(self, source: Source, function: Callable[[Any], Any]) -> None:
        self._source, self._function = source, function
        self.n_blocks, self.sizes = source.n_blocks, source.sizes

    def reduce(
        self,
        partial: Callable[..., Any],
        merge: Callable[[Any, Any], Any],
        numbers: Sequence[int],
        own: Sequence[tuple[Any, ...]],
        shared: tuple[Any, ...],
    ) -> Any:
        return self._source.reduce(
            _run_mapped,
            merge,
            numbers,
            [(arguments,) for arguments in own],
            (self._function, partial, *shared),
        )

    def name(self, number: int) -> str:
        return self._source.name(number)

    reduce.__doc__, name.__doc__ = Source.reduce.__doc__, Source.name.__doc__


def _run_mapped(
    block: Any,
    own: tuple[Any, ...],
    function: Callable[[Any], Any],
    partial: Callable[..., Any],
    *shared: Any,
) -> Any:
    return partial(function(block), *own, *shared)
