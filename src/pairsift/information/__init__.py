"""Entropy and mutual information of discrete and continuous columns, in nats."""

# Names imported as themselves (`X as X`) are shared with other packages, not public.
from pairsift.information._columns import (
    as_numbers as as_numbers,
    column_scales as column_scales,
    discrete_mask as discrete_mask,
    joint_codes as joint_codes,
)
from pairsift.information._entropy import entropy
from pairsift.information._mutual_information import (
    mutual_information,
    with_classes as with_classes,
)
from pairsift.information._pairs import (
    ColumnTable as ColumnTable,
    column_table as column_table,
    pair_information as pair_information,
    pairwise_mutual_information,
    relevance,
)
from pairsift.information._permutation import permutation_threshold

__all__ = [
    "entropy",
    "mutual_information",
    "pairwise_mutual_information",
    "permutation_threshold",
    "relevance",
]
