"""What a person told us: must-link and cannot-link pairs, and class labels."""

# Names imported as themselves (`X as X`) are shared with other packages, not public.
from pairsift.constraints._closure import (
    Conflict,
    Groups,
    find_conflicts as find_conflicts,
)
from pairsift.constraints._ids import (
    refuse_other_order as refuse_other_order,
    sample_ids_of as sample_ids_of,
)
from pairsift.constraints._io import separator_of as separator_of
from pairsift.constraints._labels import (
    WORDS_FOR_NONE as WORDS_FOR_NONE,
    PileNumbers as PileNumbers,
    as_label_array,
    count_marked,
    encode_labels,
    is_continuous,
    read_labels,
    unlabelled_hint as unlabelled_hint,
)
from pairsift.constraints._pair_set import Pair
from pairsift.constraints._pairs import (
    PairConstraints,
    pairs_of_text as pairs_of_text,
)
from pairsift.constraints._rows import as_pairs
from pairsift.constraints._sampling import MAX_PAIRS, LabelledPairs

__all__ = [
    "MAX_PAIRS",
    "Conflict",
    "Groups",
    "LabelledPairs",
    "Pair",
    "PairConstraints",
    "as_label_array",
    "as_pairs",
    "count_marked",
    "encode_labels",
    "is_continuous",
    "read_labels",
]
