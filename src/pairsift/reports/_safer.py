"""What the commands and the labelling page set for a person."""

from typing import Any

# As the benchmark `ask` chose: level with the default on clean data, and features of
# noise come later.
SAFER: dict[str, dict[str, Any]] = {"semi-mrmr": {"least_redundancy": 0.05}}
"""Parameters, by method, where the definition of a method has another default."""
