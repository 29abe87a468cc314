"""What a selector declares of itself: its line of the catalogue, as data."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from pairsift.constraints import MAX_PAIRS
from pairsift.selectors._cost import Problem

Links = Literal["no", "required", "either", "if any", "if supervised", "for classes"]


@dataclass(frozen=True)
class Learns:
    """What a method learns from; prose, checks and the command line follow from it.

    Links are ``"required"``, needed as one of two kinds (``"either"``), used
    ``"if any"`` (or ``"if supervised"``, by a parameter), or stand for labels, as the
    groups of must-links do (``"for classes"``).
    """

    must: Links = "no"
    cannot: Links = "no"
    labels: Literal["no", "required", "if given", "as pairs", "numbers"] = "no"
    """As pairs: all pairs of labelled rows stand for pairs that were not given."""
    unlabelled: bool = False
    """Whether unlabelled rows count, too, in a method that learns from labels."""
    others: str = ""
    """Whose needs a method that works on other selectors has, for the prose."""
    most_pairs: int = MAX_PAIRS
    """How many pairs of a kind can be listed."""

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of pairs that help."""
        links = {"must": self.must, "cannot": self.cannot}
        return tuple(kind for kind, use in links.items() if use != "no")

    @property
    def required(self) -> tuple[str, ...]:
        """Kinds of pairs without any of which nothing is defined."""
        links = {"must": self.must, "cannot": self.cannot}
        return tuple(kind for kind, use in links.items() if use == "required")

    @property
    def is_free(self) -> bool:
        """Whether nothing is needed beside the data."""
        return self.labels in ("no", "if given")

    @property
    def from_pairs(self) -> bool:
        """Whether it learns from pairs, and from labels by making pairs of them."""
        return self.labels == "as pairs"

    @property
    def from_numbers(self) -> bool:
        """Whether the target is a number for every row, and no class."""
        return self.labels == "numbers"

    @property
    def context(self) -> str:
        """unsupervised, supervised, semi-supervised or constrained."""
        if self.is_free:
            return "unsupervised"
        if self.from_pairs:
            return "constrained"
        return "semi-supervised" if self.unlabelled else "supervised"

    @property
    def needs(self) -> str:
        """What it learns from in words, as ``"cannot-links (or labels)"``."""
        words = {
            "no": "nothing",
            "if given": "nothing (labels if given)",
            "numbers": "a numeric target",
            "required": "labels (or must-links)",
            "as pairs": f"{self.links} (or labels)",
        }[self.labels]
        return f"{words}, or what {self.others}" if self.others else words

    @property
    def links(self) -> str:
        """Which pairs it learns from in words, as ``"cannot-links"``."""
        if self.must == self.cannot:
            joined = " and " if self.must == "required" else " or "
            return joined.join(("must-links", "cannot-links"))
        uses = [("must-links", self.must), ("cannot-links", self.cannot)]
        first = [kind for kind, use in uses if use in ("required", "for classes")]
        then = [f"{kind} {use}" for kind, use in uses if use.startswith("if ")]
        return ", ".join(first + then)


NOTHING = Learns()
CLASSES = Learns(labels="required", must="for classes")
CLASSES_AND_ROWS = Learns(labels="required", must="for classes", unlabelled=True)
CANNOT_LINKS = Learns(cannot="required", labels="as pairs")
BOTH_LINKS = Learns(must="required", cannot="required", labels="as pairs")
EITHER_LINKS = Learns(must="either", cannot="either", labels="as pairs")


@dataclass(frozen=True)
class Method:
    """What the catalogue says of a selector, declared by its class."""

    name: str
    """What is typed after ``--method`` on the command line."""
    learns_from: Learns
    orientation: str
    """Whether the published score is maximised or minimised."""
    cost: str
    """Big-O in samples n, features d, pairs p, neighbours k."""
    seconds: Callable[[Any, Problem], float]
    """The cost in seconds, of a selector and its problem."""
    citation: str
    aliases: tuple[str, ...] = ()
    """Other names by which the literature, and the command line, know it."""
    cheaper: dict[str, Any] = field(default_factory=dict)
    """Parameters, each of which makes it faster for the same purpose."""
    dask: bool = False
    """Whether it reads data in blocks, for `pairsift.distributed.fit`."""

    selector: Any = field(init=False, default=None, compare=False)
    """The class that declares it."""

    def __set_name__(self, owner: type, name: str) -> None:
        # Another class may borrow the record; it stays that of the one that made it.
        if self.selector is None:
            object.__setattr__(self, "selector", owner)

    @property
    def class_name(self) -> str:
        """Name of the class."""
        return str(self.selector.__name__)

    @property
    def purpose(self) -> str:
        """First sentence of the documentation of the class."""
        text = (self.selector.__doc__ or "").strip()
        return str(text.partition("\n")[0].removesuffix("."))

    @property
    def accepts_missing(self) -> bool:
        """Whether columns may have missing values."""
        return bool(self.selector._accepts_missing)

    @property
    def accepts_categorical(self) -> bool:
        """Whether columns may be categorical."""
        return bool(self.selector._accepts_categorical)

    @property
    def accepts_sparse(self) -> bool:
        """Whether X may be a SciPy sparse matrix, with some parameters at least."""
        return bool(self.selector._accepts_sparse)

    @property
    def context(self) -> str:
        """unsupervised, supervised, semi-supervised or constrained."""
        return self.learns_from.context

    @property
    def needs(self) -> str:
        """nothing, labels, cannot-links, ..."""
        return self.learns_from.needs
