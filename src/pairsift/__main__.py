"""The command ``pairsift``, also as ``python -m pairsift``."""

import sys

# What the extra "cli" installs and the command line loads at its start.
EXTRA = ("typer", "rich")


def main() -> None:
    """Run the command line, or say what it needs that is not installed."""
    try:
        from pairsift.cli import main as run
    except ModuleNotFoundError as error:
        if error.name not in EXTRA:
            raise
        sys.exit(
            f"pairsift: error: the command needs {error.name}, which is not "
            "installed: install pairsift with its extra cli, which pip, pipx and uv "
            "all write as 'pairsift[cli]'."
        )
    run()


if __name__ == "__main__":
    main()
