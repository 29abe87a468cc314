"""Keep the description of a parameter equal in all classes of a family.

Each docstring stands in full in the source. A parameter that means the same in several
classes of a family is described by one of them, its owner; the others repeat it.

python tools/docsync.py --check     name the descriptions that differ from their owner's
python tools/docsync.py --write     copy them from the owner
"""

import ast
import re
import sys
from itertools import product
from pathlib import Path
from typing import NamedTuple

SOURCE = Path(__file__).parents[1] / "src" / "pairsift" / "selectors"
ENTRY = re.compile(r"    (\w+) : ")


RADIUS = "SURF SURFStar SWRFStar MultiSURF MultiSURFStar"
# The owner of descriptions, the parameters, and the classes that share them.
FAMILIES = (
    # The Relief family.
    ("ReliefF", "n_features_to_select alpha", f"Relief {RADIUS}"),
    ("ReliefF", "ties", "Relief"),
    ("ReliefF", "missing", f"Relief {RADIUS} STIR IterativeRelief Simba"),
    ("ReliefF", "max_samples", f"Relief {RADIUS} STIR"),
    ("ReliefF", "random_state", f"Relief {RADIUS} STIR RReliefF"),
    ("ReliefF", "ramp n_jobs", f"Relief {RADIUS} STIR IterativeRelief RReliefF"),
    ("ReliefF", "categorical_features", f"Relief {RADIUS} STIR RReliefF Simba"),
    ("SURF", "miss_weighting", "SURFStar SWRFStar MultiSURF MultiSURFStar"),
    ("IRelief", "multi_class", "OnlineIRelief"),
    ("IterativeRelief", "max_iter", "IRelief"),
    ("LogisticIRelief", "max_iter tol", "SemiLogisticIRelief"),
    # Margins of pairs.
    ("ReliefFSc", "null metric must_link_weight ramp", "ReliefSc"),
    ("ReliefFSc", "symmetric exclude ties random_state", "ReliefSc FCRSC"),
    ("ReliefFSc", "missing categorical_features n_jobs", "ReliefSc SimbaSc"),
    ("ReliefFSc", "n_neighbors", "FCRSC"),
    # Forward searches.
    ("SemiMRMR", "categorical_features", "UnsupervisedMRMR"),
    ("ForwardBackwardMI", "n_features_to_select familywise", "ClusterHomogeneity"),
    ("ForwardBackwardMI", "must_rise n_permutations", "ClusterHomogeneity"),
    ("ForwardBackwardMI", "pairs quantile", "ClusterHomogeneity"),
    ("MRMR", "n_neighbors", "ForwardBackwardMI ClusterHomogeneity SSFC"),
    ("MRMR", "discrete_features", "ForwardBackwardMI SSFC FeatureClusterMI"),
    # Scores on graphs.
    ("LaplacianScore", "epsilon kernel", "ConstraintScore4 MCFS SPEC SSelect"),
    ("LaplacianScore", "graph", "SSelect"),
    ("LaplacianScore", "sigma", "MCFS"),
    ("LaplacianScore", "n_neighbors", "ConstraintScore3 FSManifold MCFS SPEC SSelect"),
    ("ConstraintScore3", "n_neighbors", "ConstraintScore4 ConstraintScore5"),
    ("ConstraintScore5", "n_neighbors sigma", "ConstraintScore6 ConstraintScore7"),
    ("ConstraintScore5", "form", "ConstraintScore7"),
    ("ConstraintScore4", "sigma", "SCGS SPEC SSelect"),
)


class Text(NamedTuple):
    """The docstring of a class: its file and its lines there."""

    path: Path
    start: int
    stop: int

    def entry(self, parameter: str) -> tuple[list[str], slice]:
        """Return the lines of the file, and where a parameter is described."""
        lines = self.path.read_text(encoding="utf-8").splitlines(keepends=True)
        for first in range(self.start, self.stop):
            found = ENTRY.match(lines[first])
            if found and found[1] == parameter:
                last = first + 1
                while lines[last].startswith("     "):
                    last += 1
                return lines, slice(first, last)
        raise KeyError(f"{self.path} describes no {parameter}")


def docstrings() -> dict[str, Text]:
    """Return the docstring of each class."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and ast.get_docstring(node):
                text = node.body[0]
                found[node.name] = Text(path, text.lineno - 1, text.end_lineno or 0)
    return found


def differing(*, write: bool = False) -> list[str]:
    """Return the parameters that are not described as by their owner; mend them."""
    found, texts = [], docstrings()
    for owner, parameters, classes in FAMILIES:
        for name, parameter in product(classes.split(), parameters.split()):
            lines, place = texts[owner].entry(parameter)
            wanted = lines[place]
            lines, place = texts[name].entry(parameter)
            if lines[place] != wanted:
                found.append(f"{name}: {parameter} is not described as in {owner}")
                lines[place] = wanted
                if write:
                    texts[name].path.write_text("".join(lines), encoding="utf-8")
                    texts = docstrings()
    return found


if __name__ == "__main__":
    is_writing = sys.argv[1:] == ["--write"]
    differences = differing(write=is_writing)
    print("\n".join(differences) or "all descriptions agree")
    sys.exit(bool(differences) and not is_writing)
