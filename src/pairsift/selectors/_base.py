"""What every selector does: validate, resolve, score, rank."""

from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral, Real
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, clone
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import (
    check_consistent_length,
    check_is_fitted,
    column_or_1d,
)

from pairsift import _kernels
from pairsift._checks import check_not_huge
from pairsift._sklearn_compat import Interval
from pairsift._typing import BoolArray, FloatArray, IndexArray, PairArray
from pairsift._warnings import warn_caller
from pairsift.constraints import (
    LabelledPairs,
    PairConstraints,
    as_label_array,
    is_continuous,
    read_labels,
    sample_ids_of,
    unlabelled_hint,
)
from pairsift.exceptions import ConstraintError
from pairsift.selectors._agreement import warn_of_disagreement
from pairsift.selectors._method import Learns, Method
from pairsift.selectors._tables import Table, as_objects, as_table, selected_columns

N_JOBS = [
    None,
    Interval(Integral, 1, None, closed="left"),
    Interval(Integral, None, -1, closed="right"),
]
"""Accepted numbers of threads, as joblib counts them."""


class Supervision(NamedTuple):
    """What is known about the rows at hand."""

    labels: IndexArray | None
    must_link: PairArray
    cannot_link: PairArray
    is_listed: bool = True
    """False: the pairs are all those of the labels, and not listed."""
    hint: str = ""
    """End of an error about too few classes, if -1 may have been one."""


@contextmanager
def all_or_nothing(selector: BaseEstimator) -> Iterator[None]:
    """Leave a selector as it was, with its last fit, when the next one fails."""
    before = dict(vars(selector))
    try:
        yield
    except BaseException as error:
        selector.__dict__ = before
        if _kernels.is_lost_interrupt(error):
            raise KeyboardInterrupt from error
        raise


class BaseScoreSelector(SelectorMixin, BaseEstimator):
    """Base of all selectors that give every feature a score.

    A subclass declares `_method`, its constructor parameters with their
    `_parameter_constraints`, and `_score`; if it uses labels or pairs it picks one of
    the `_resolve` mixins below. Capabilities are class attributes.
    """

    __metadata_request__fit: ClassVar = {
        "constraints": True,
        "sample_ids": True,
        "missing_label": True,
    }

    _method: ClassVar[Method]
    _accepts_missing: ClassVar[bool] = False
    _accepts_categorical: ClassVar[bool] = False
    _accepts_sparse: ClassVar[bool] = False
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_features_to_select": [
            None,
            Interval(Integral, 1, None, closed="left"),
            Interval(Real, 0, 1, closed="right"),
        ],
    }

    scores_: FloatArray
    support_: BoolArray
    n_constraints_used_: int

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        constraints: PairConstraints | None = None,
        sample_ids: Any = None,
        missing_label: Any = "auto",
    ) -> Self:
        """Score, rank and select the features.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data: NumPy, pandas or polars, and SciPy sparse where the tag
            ``input_tags.sparse`` of a selector says so.
        y : array-like of shape (n_samples,), default=None
            Class labels; unlabelled rows hold -1 (numbers) or None, NaN or empty text.
        constraints : PairConstraints, default=None
            Must-link and cannot-link pairs between rows of `X`. A selector that needs
            pairs and gets only labels takes all pairs of labelled rows. Given both, it
            learns from these pairs alone, so that in a pipeline `y` may be meant for
            another step; ``constraints | PairConstraints.from_labels(y)`` joins them.
        sample_ids : array-like of shape (n_samples,), default=None
            Row number of each row of `X` in the data set the constraints refer to, or
            its id if they were made with ids; in cross-validation pass those of all
            rows (``np.arange(n_samples)``). Pairs with an end outside of `X` are left
            out, and of a row that occurs more than once the first copy is taken. None
            takes the index of a data frame if its values are ids of the constraints.
        missing_label : label, None or "auto", default="auto"
            Label that means "no label", beside None, NaN and empty text. None or NaN if
            every label is a class (NaN in a pipeline, where None is not handed on);
            "auto" is -1, with a warning where that may be one.

        Returns
        -------
        self : object
            The fitted selector. After an error it is as it was before.
        """
        with all_or_nothing(self):
            self._validate_params()
            refuse_wrong_labels(X, y)
            table = as_table(self, X)
            sample_ids = sample_ids_of(X, constraints, sample_ids)
            supervision = self._resolve(
                table, y, constraints, sample_ids, missing_label
            )
            self.scores_ = self._score(table, supervision)
            self._refuse_nan()
            return self._rank()

    def transform(self, X: Any) -> Any:
        """Reduce X to the selected features, in the order of its columns.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The data.

        Returns
        -------
        X_selected : array-like of shape (n_samples, n_features_to_select_)
            Its selected columns.
        """
        selected = selected_columns(self, X, self.get_support())
        return super().transform(as_objects(self, X)) if selected is None else selected

    def _validate_params(self) -> None:
        super()._validate_params()
        for name, value in self.get_params(deep=False).items():
            # A seed may have any number of digits.
            if isinstance(value, int | np.integer) and name != "random_state":
                check_not_huge(value, name)

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        """Return one score per feature, higher is better."""
        raise NotImplementedError("abstract: a selector defines its score")

    def _resolve(
        self,
        table: Table,
        y: Any,
        constraints: Any,
        sample_ids: Any,
        missing_label: Any = "auto",
    ) -> Supervision:
        """Check the pairs, though this selector uses nothing; y may be anything."""
        self.n_constraints_used_ = 0
        return self._known(table, None, constraints, sample_ids)

    def _known(
        self,
        table: Table,
        y: Any,
        constraints: Any,
        sample_ids: Any,
        missing_label: Any = "auto",
    ) -> Supervision:
        n_rows = len(table.X)
        labels, hint = None, ""
        if y is not None:
            given = as_label_array(y)
            if given.ndim != 1:
                given = column_or_1d(given, warn=True)
            labels, classes = read_labels(given, missing_label)
            hint = unlabelled_hint(given, missing_label) if len(classes) < 2 else ""
            check_consistent_length(table.X, labels)
        if constraints is None:
            nothing = np.empty((0, 2), dtype=np.int64)
            return Supervision(labels, nothing, nothing, hint=hint)
        if not isinstance(constraints, PairConstraints):
            raise ConstraintError(
                f"constraints must be a PairConstraints, got "
                f"{type(constraints).__name__}: wrap pairs as PairConstraints("
                f"must_link=[...], cannot_link=[...], n_samples={n_rows})."
            )
        must, cannot = constraints.resolve(n_rows, sample_ids)
        if labels is not None:
            warn_of_disagreement(labels, must, cannot)
        return Supervision(labels, must, cannot, hint=hint)

    def _meet_conflicts(self, constraints: PairConstraints) -> None:
        """Refuse pairs that contradict each other, or warn that each is evidence."""
        if self._needs_consistent_pairs():
            constraints.check_consistent()
        warn_of_conflicts(constraints)

    def _needs_consistent_pairs(self) -> bool:
        """Whether the score is undefined where pairs contradict each other."""
        return False

    def _takes_sparse(self) -> bool:
        """Whether X may be a SciPy sparse matrix; `SparseRows` in `_score`."""
        return self._accepts_sparse

    def _refuse_table(self, X: Any) -> None:
        """Refuse data that `fit` would refuse, before anybody is asked for labels."""
        as_table(clone(self), X)

    def _refuse_blocks(self) -> None:
        """Refuse data in blocks for parameters that need all rows in memory."""

    def _refuse_nan(self) -> None:
        undefined = np.flatnonzero(np.isnan(self.scores_))
        if undefined.size:
            raise ValueError(
                f"the score of feature {undefined[0]} is undefined: X holds numbers "
                "too large or too small to compute with, scale it first (for example "
                "with sklearn.preprocessing.MinMaxScaler)."
            )

    def _warn_of_infinite(self, scores: FloatArray) -> FloatArray:
        """Say so where nothing varies inside the classes; called by `_score`."""
        infinite = np.flatnonzero(np.isposinf(scores))
        if infinite.size:
            warn_caller(
                f"the {type(self).__name__} of {infinite.size} of {scores.size} "
                f"features is infinite (first of feature {infinite[0]}), as nothing "
                "varies inside the classes: they come first, in their order in X; see "
                "whether one of them repeats the labels.",
            )
        return scores

    def _rank(self) -> Self:
        n_features = self.scores_.size
        if np.isneginf(self.scores_).all():
            warn_caller(
                f"no feature has a defined {type(self).__name__}, for instance because "
                "all are constant: their order says nothing.",
            )
        self.order_ = np.argsort(-self._merit(), kind="stable")
        self.ranking_ = np.empty(n_features, dtype=np.int64)
        self.ranking_[self.order_] = np.arange(1, n_features + 1)
        self.n_features_to_select_ = self._number_to_select(n_features)
        self.support_ = self.ranking_ <= self.n_features_to_select_
        return self

    def _merit(self) -> FloatArray:
        """Return what features are ordered by; a search knows more than its scores."""
        return self.scores_

    def _number_to_select(self, n_features: int) -> int:
        wanted = self.n_features_to_select
        if wanted is None:
            return n_features
        if wanted in ("auto", "significant"):
            return self._best_number()
        if isinstance(wanted, int | np.integer):
            if wanted > n_features:
                raise ValueError(
                    f"n_features_to_select={wanted} asks for more than the "
                    f"{n_features} features of X."
                )
            return int(wanted)
        # 0.29 of 100 features are 29, although 0.29 * 100 is a little less.
        return max(1, int(wanted * n_features + 1e-9))

    def _best_number(self) -> int:
        """Return the number that a word stands for, in selectors that accept one."""
        raise NotImplementedError("abstract: a selector that accepts a word defines it")

    def _get_support_mask(self) -> BoolArray:
        check_is_fitted(self)
        return self.support_

    def __sklearn_is_fitted__(self) -> bool:
        # Not every attribute with a trailing underscore is fitted: lambda_ is given.
        return hasattr(self, "support_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self._accepts_missing
        tags.input_tags.categorical = self._accepts_categorical
        tags.input_tags.sparse = self._takes_sparse()
        return tags


class FromPairs(BaseScoreSelector):
    """Base of the selectors that learn from pairs, cannot-links at least."""

    def _resolve(
        self,
        table: Table,
        y: Any,
        constraints: Any,
        sample_ids: Any,
        missing_label: Any = "auto",
    ) -> Supervision:
        # In a pipeline for regression, y is no label and the pairs are all there is.
        labels = None if constraints is not None and is_continuous(y) else y
        known = self._known(table, labels, constraints, sample_ids, missing_label)
        learns = self._learns()
        with_must = learns.must != "no"
        if constraints is not None:
            self._meet_conflicts(constraints)
            must = known.must_link if with_must else known.must_link[:0]
            known = known._replace(must_link=must)
            n_used = len(must) + len(known.cannot_link)
        elif known.labels is not None:
            pairs = LabelledPairs(known.labels)
            n_used = pairs.count("cannot") + with_must * pairs.count("must")
            known = known._replace(is_listed=self._lists_pairs(table))
            if known.is_listed:
                most = learns.most_pairs
                listed = PairConstraints(
                    pairs.all("must", most) if with_must else (),
                    pairs.all("cannot", most),
                )
                known = known._replace(
                    must_link=listed.must_link, cannot_link=listed.cannot_link
                )
        else:
            kinds = learns.required or learns.kinds
            together = " and " if learns.required else " or "
            arguments = [f"{kind}_link=[...]" for kind in kinds]
            raise ConstraintError(
                f"{type(self).__name__} needs "
                f"{together.join(f'{kind}-link' for kind in kinds)} pairs or labels, "
                "got neither: pass constraints=PairConstraints("
                f"{', '.join(arguments)}, n_samples=n_samples), or y."
            )
        for kind in learns.required:
            if self._n_links(kind, known) == 0:
                self._refuse_no_pairs((kind,), known, constraints)
        if n_used == 0:
            self._refuse_no_pairs(learns.kinds, known, constraints)
        self.n_constraints_used_ = n_used
        return known

    def _n_links(self, kind: str, known: Supervision) -> int:
        if not known.is_listed and known.labels is not None:
            return LabelledPairs(known.labels).count(kind)
        return len(known.must_link if kind == "must" else known.cannot_link)

    def _learns(self) -> Learns:
        """Return what the selector learns from with its parameters."""
        return self._method.learns_from

    def _lists_pairs(self, table: Table) -> bool:
        """Whether the pairs of labelled rows have to be listed one by one."""
        return True

    def _refuse_no_pairs(
        self,
        kinds: tuple[str, ...],
        known: Supervision,
        constraints: PairConstraints | None,
    ) -> None:
        if constraints is None:
            found = f"y has {_n_classes(known.labels)}"
            found += " of one row each" if "must" in kinds else ""
            found = f"{found}.{known.hint}".removesuffix(".")
        else:
            numbers = {
                "must": constraints.n_must_link,
                "cannot": constraints.n_cannot_link,
            }
            n_outside = sum(numbers[kind] for kind in kinds)
            other = {"must": "cannot", "cannot": "must"}[kinds[0]]
            others = f" ({numbers[other]} {other}-link)" if len(kinds) == 1 else ""
            found = f"constraints hold none{others}"
            if n_outside:
                found = (
                    f"none of the {n_outside} in constraints lies inside the rows of X"
                )
        names = " or ".join(f"{kind}-link" for kind in kinds)
        raise ConstraintError(
            f"{type(self).__name__} needs {names} pairs, but {found}."
        )


class FromClasses(BaseScoreSelector):
    """Base of the selectors that learn from classes."""

    def _resolve(
        self,
        table: Table,
        y: Any,
        constraints: Any,
        sample_ids: Any,
        missing_label: Any = "auto",
    ) -> Supervision:
        known = self._known(table, y, constraints, sample_ids, missing_label)
        self.n_constraints_used_ = 0
        labels = known.labels
        has_labels = labels is not None and bool((labels >= 0).any())
        if not has_labels and constraints is not None:
            self._meet_conflicts(constraints)
            labels = classes_of(known, len(table.X))
            self.n_constraints_used_ = len(known.must_link)
        if labels is None:
            raise ConstraintError(
                f"{type(self).__name__} needs labels or must-link pairs, got neither: "
                "pass y, or constraints=PairConstraints(must_link=[...], "
                "n_samples=n_samples)."
            )
        if not ((labels >= 0) & (labels < labels.max())).any():
            is_paired = constraints is not None and not has_labels
            source = "the must-links make" if is_paired else "y has"
            raise ConstraintError(
                f"{type(self).__name__} needs at least two classes, but {source} "
                f"{_n_classes(labels)}: label rows of two classes or more."
                f"{'' if is_paired else known.hint}"
            )
        return known._replace(labels=labels)

    def _needs_consistent_pairs(self) -> bool:
        # Must-link groups stand for classes, and a contradiction joins two of them.
        return True


def classes_of(known: Supervision, n_rows: int) -> IndexArray:
    """Class of each row, -1 for none: its label, or its group of must-links."""
    if known.labels is not None and (known.labels >= 0).any():
        return known.labels
    return PairConstraints(known.must_link, n_samples=n_rows).groups()


def refuse_wrong_labels(X: Any, y: Any) -> None:
    """Refuse what is often given in the place of labels, with the right call."""
    if isinstance(y, PairConstraints):
        raise ConstraintError(
            "y is a PairConstraints, which is no label: write constraints=pairs, as in "
            "fit(X, constraints=pairs)."
        )
    if hasattr(y, "piles") and hasattr(y, "labels"):
        raise ConstraintError(
            f"y is an {type(y).__name__}, which is no label: write fit(X, "
            "session.labels), or fit(X, constraints=session.constraints)."
        )
    if isinstance(y, str):
        raise ConstraintError(
            f"y is the text {y!r}, not one label for each row: if it names a column of "
            f"a data frame, write fit(frame.drop(columns={y!r}), frame[{y!r}])."
        )
    if len(getattr(X, "shape", ())) == 1 and len(getattr(y, "shape", ())) == 2:
        raise ConstraintError(
            f"X is one-dimensional and y has shape {y.shape}, so they seem to be "
            "swapped: write fit(X, y), with the data first."
        )


def warn_of_conflicts(constraints: PairConstraints) -> None:
    """Say which pairs contradict each other, where each is taken as evidence."""
    conflicts = constraints.conflicts()
    if conflicts:
        more = f" (and {len(conflicts) - 1} more)" if len(conflicts) > 1 else ""
        warn_caller(
            f"{conflicts[0].named(constraints.ids)}{more}: each pair is taken as "
            "evidence. Remove one of these pairs, or take "
            "constraints.without_conflicts()[0], which leaves out the least supported "
            "ones.",
        )


def refuse_contradiction(known: Supervision, name: str) -> None:
    """Refuse pairs of labelled rows that their labels deny."""
    if known.labels is None or not known.is_listed:
        return
    for kind, pairs in (("must", known.must_link), ("cannot", known.cannot_link)):
        labels = known.labels[pairs]
        is_same = labels[:, 0] == labels[:, 1]
        is_denied = (labels >= 0).all(axis=1) & (is_same == (kind == "cannot"))
        if is_denied.any():
            a, b = pairs[is_denied][0].tolist()
            classes = "the same class" if kind == "cannot" else "two classes"
            raise ConstraintError(
                f"{name} uses labels and pairs, and they contradict each other: rows "
                f"({a}, {b}) are a {kind}-link, but of {classes} in y."
            )


def _n_classes(labels: IndexArray | None) -> str:
    number = 0 if labels is None else np.unique(labels[labels >= 0]).size
    return f"{number} {'class' if number == 1 else 'classes'}"
