"""OnlineIRelief: margins in the weighted space, one row after the other."""

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_consistent_length, column_or_1d

from pairsift._random import as_generator
from pairsift._sklearn_compat import Interval, StrOptions
from pairsift._typing import FloatArray, ObjectArray, RandomState
from pairsift.constraints import as_label_array, encode_labels
from pairsift.exceptions import ConstraintError
from pairsift.scores import MULTI_CLASS, Stream, fit_online_irelief
from pairsift.selectors._base import FromClasses, Supervision, all_or_nothing
from pairsift.selectors._irelief import FromLabelledRows
from pairsift.selectors._method import CLASSES, Method
from pairsift.selectors._tables import Table, as_table


class OnlineIRelief(FromLabelledRows):
    r"""Select features by I-Relief on one row after the other (online I-Relief).

    For data that is too large for :class:`IRelief`, or comes bit by bit:
    :meth:`partial_fit` learns from the next rows and keeps at most `max_points` of
    them. Numbers without missing values are needed; the method divides by the range of
    each feature itself.

    Parameters
    ----------
    n_features_to_select : int or float, default=None
        Number or share of features to select; None keeps all and only ranks.
    sigma : float, default=0.5
        Width of the kernel :math:`\exp(-d / \sigma)`, where d is a weighted sum of
        differences between 0 and 1. Small widths look at few neighbours.
    multi_class : {"prior", "nearest"}, default="prior"
        Misses of more than two classes: the near-misses of every other class weighted
        by its prior (I-Relief-1), or the nearest of them all (I-Relief-2).
    n_epochs : int, default=5
        Number of passes of `fit` over the rows; `partial_fit` passes once.
    max_points : int, default=1000
        Most rows among which neighbours are found, and that are kept; of more, as many
        are drawn. What the first call of `partial_fit` finds holds for later ones.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the orders and draws.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features,)
        The mean margins :math:`\pi`; 0 for a constant feature.
    weights_ : ndarray of shape (n_features,)
        The published weights w, the positive part of :math:`\pi` at unit norm.
    classes_ : ndarray of shape (n_classes,)
        The classes seen so far, or those announced to `partial_fit`.
    n_samples_seen_ : int
        Number of rows seen, since `fit` or the first `partial_fit`.
    n_labelled_ : int
        Number of them with a class; the others are left out.
    order_ : ndarray of shape (n_features,)
        Feature indices, best first; ties go to the lower index.
    ranking_ : ndarray of shape (n_features,)
        Rank of each feature, 1 is best.
    support_ : ndarray of shape (n_features,), dtype=bool
        Mask of the selected features.
    n_features_to_select_ : int
        Number of selected features.
    n_features_in_ : int
        Number of features seen in fit.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the features, when `X` has them.
    n_constraints_used_ : int
        Number of must-links that made the classes, 0 when labels did.

    See Also
    --------
    IRelief : The same on all rows at once, without randomness.
    pairsift.scores.online_irelief_score : `fit` as a function on arrays.

    Notes
    -----
    The online form of [1]_: after every row n, :math:`\pi` is the mean of the margins
    of :class:`IRelief` so far, and its positive part the new weights;
    :func:`pairsift.scores.online_irelief_score` has the formula. As long as no margin
    is positive, weights are equal. Features with :math:`\pi_f \le 0` all have
    :math:`w_f = 0`, hence the ranking by :math:`\pi`.

    `fit` takes the rows in random order, `n_epochs` times; neighbours are all labelled
    rows, or `max_points` of them. :math:`\pi` times the number of rows tends to the
    margins of :class:`IRelief`.

    `partial_fit` takes the rows as they come. The neighbours of a row are rows before
    it: all up to `max_points`, after which the t-th row is kept with probability
    max_points / t in the place of a random one, so that every row seen is as likely to
    be there as any other. How rows are cut into chunks makes no difference, not even of
    rounding. Should a range grow, :math:`\pi_f` of the rows before shrinks with it, as
    if the new range had been known; their neighbours are not found anew. Rows that come
    before any of their class, or of another, have the margin 0, so that all scores are
    0 until there are two classes. A call after `fit` goes on from there.

    References
    ----------
    .. [1] Y. Sun, "Iterative RELIEF for feature weighting: algorithms, theories,
       and applications", IEEE TPAMI 29(6), 1035-1051, 2007.

    Examples
    --------
    >>> from sklearn.datasets import load_wine
    >>> from sklearn.utils import shuffle
    >>> from pairsift import OnlineIRelief
    >>> X, y = shuffle(*load_wine(return_X_y=True), random_state=0)
    >>> selector = OnlineIRelief(3, random_state=0)
    >>> for first in range(0, len(X), 50):
    ...     chunk = slice(first, first + 50)
    ...     selector = selector.partial_fit(X[chunk], y[chunk])
    >>> selector.get_support(indices=True)
    array([ 6, 11, 12])
    """

    _method: ClassVar = Method(
        name="online-i-relief",
        learns_from=CLASSES,
        orientation="maximised",
        cost="O(nmd) a pass for m kept rows, O(md) memory",
        seconds=lambda s, z: (
            (6e-10 * z.d + 1e-8) * s.n_epochs * z.m * min(z.m, s.max_points)
        ),
        citation="Sun 2007; Hijazi 2019, section 2.5.2.4",
    )
    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **FromClasses._parameter_constraints,
        "sigma": [Interval(Real, 0, None, closed="neither")],
        "multi_class": [StrOptions(set(MULTI_CLASS))],
        "n_epochs": [Interval(Integral, 1, None, closed="left")],
        "max_points": [Interval(Integral, 2, None, closed="left")],
        "random_state": ["random_state", np.random.Generator],
    }

    classes_: ObjectArray
    n_samples_seen_: int
    _stream: dict[str, Any]
    """The attributes of a `Stream`, in plain types: saved files do not name it."""
    _is_closed: bool
    """Whether the first call told all classes there will be."""

    def __init__(
        self,
        n_features_to_select: int | float | None = None,
        *,
        sigma: float = 0.5,
        multi_class: str = "prior",
        n_epochs: int = 5,
        max_points: int = 1000,
        random_state: RandomState = None,
    ) -> None:
        self.n_features_to_select = n_features_to_select
        self.sigma = sigma
        self.multi_class = multi_class
        self.n_epochs = n_epochs
        self.max_points = max_points
        self.random_state = random_state

    def partial_fit(
        self, X: Any, y: Any, classes: Any = None, *, missing_label: Any = "auto"
    ) -> Self:
        """Learn from the next rows, and rank and select the features anew.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The next rows, one at least, of the same features as before.
        y : array-like of shape (n_samples,)
            Class labels; unlabelled rows hold -1 (numbers) or None, NaN or empty text.
        classes : array-like of shape (n_classes,), default=None
            All classes there will be, in the first call, should other labels be an
            error; None to learn of classes as they come. Later calls need not repeat
            it.
        missing_label : label, None or "auto", default="auto"
            Label that means "no label", beside None, NaN and empty text. None or NaN if
            every label is a class; "auto" is -1.

        Returns
        -------
        self : object
            The selector, fitted to all rows so far. After an error it is as it was
            before.
        """
        with all_or_nothing(self):
            self._validate_params()
            is_first = not hasattr(self, "_stream")
            rows = as_table(self, X, min_samples=1, reset=is_first).X.astype(np.float64)
            self._number_to_select(rows.shape[1])
            if y is None:
                raise ConstraintError(f"{type(self).__name__} needs labels: pass y.")
            y = column_or_1d(as_label_array(y), warn=True)
            check_consistent_length(rows, y)
            known, is_closed = self._known_classes(classes, missing_label, is_first)
            # New classes may sort in between: number old and new ones together.
            codes, found = encode_labels(
                np.concatenate([known, y.astype(object)]), missing_label
            )
            if is_closed and found.size > known.size:
                new = next(label for label in found if label not in known)
                raise ValueError(
                    f"y holds the class {new!r}, which classes={known.tolist()!r} of "
                    "the first call of partial_fit does not."
                )
            if is_first:
                rng = as_generator(self.random_state)
                stream = Stream(rows.shape[1], self.max_points, rng)
                self.n_samples_seen_ = self.n_labelled_ = self.n_constraints_used_ = 0
            else:
                # A copy, because it learns in place: an error leaves the old one.
                stream = Stream.of(self._stream)
            self.classes_, self._is_closed = found, is_closed
            stream.renumber(codes[: known.size])
            codes = codes[known.size :]
            labelled = codes >= 0
            stream.learn(rows[labelled], codes[labelled], self.sigma, self.multi_class)
            self._stream = vars(stream)
            self.n_samples_seen_ += len(rows)
            self.n_labelled_ += int(labelled.sum())
            self.scores_, self.weights_ = stream.margins(), stream.weights()
            self._refuse_nan()
            return self._rank()

    def _known_classes(
        self, classes: Any, missing_label: Any, is_first: bool
    ) -> tuple[ObjectArray, bool]:
        """Return the classes known before these rows, and whether they are all."""
        if is_first:
            given = [] if classes is None else classes
            known = encode_labels(given, missing_label)[1]
            return known, classes is not None
        if classes is not None:
            given = encode_labels(classes, missing_label)[1].tolist()
            if given != self.classes_.tolist():
                raise ValueError(
                    f"classes must be those of the first call of partial_fit, "
                    f"{self.classes_.tolist()!r}, got {given!r}."
                )
        return self.classes_, self._is_closed

    def _resolve(
        self,
        table: Table,
        y: Any,
        constraints: Any,
        sample_ids: Any,
        missing_label: Any = "auto",
    ) -> Supervision:
        supervision = super()._resolve(table, y, constraints, sample_ids, missing_label)
        assert supervision.labels is not None
        self.classes_ = np.arange(supervision.labels.max() + 1).astype(object)
        if self.n_constraints_used_ == 0:
            labels = column_or_1d(as_label_array(y))
            self.classes_ = encode_labels(labels, missing_label)[1]
        return supervision

    def _score(self, table: Table, supervision: Supervision) -> FloatArray:
        stream = fit_online_irelief(
            table.X,
            self._labels(supervision),
            sigma=self.sigma,
            multi_class=self.multi_class,
            n_epochs=self.n_epochs,
            max_points=self.max_points,
            random_state=self.random_state,
        )
        self._stream, self._is_closed = vars(stream), False
        self.n_samples_seen_ = len(table.X)
        self.weights_ = stream.weights()
        return stream.margins()
