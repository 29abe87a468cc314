"""Run the benchmarks: ``python -m benchmarks run [SCENARIO ...]``."""

import argparse
import json
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from benchmarks._runner import is_recorded, measure, records, table
from benchmarks.scenarios import SCENARIOS

RESULTS = Path(__file__).parent / "results"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.command == "list":
        for name, scenario in SCENARIOS.items():
            print(f"{name:<12} {(scenario.__doc__ or '').splitlines()[0]}")
        return
    for name in options.scenario:
        if not _named(name):
            parser.error(f"no scenario {name!r}; there are {', '.join(SCENARIOS)}")
    _run(options)


def _named(name: str) -> list[str]:
    """Scenarios meant by a name: its own, and those of the group it names."""
    return [full for full in SCENARIOS if full == name or full.startswith(f"{name}-")]


def _run(options: argparse.Namespace) -> None:
    options.out.parent.mkdir(parents=True, exist_ok=True)
    wanted = [full for name in options.scenario for full in _named(name)]
    for name in dict.fromkeys(wanted) or SCENARIOS:
        threads = min(options.threads, os.cpu_count() or 1)
        scenario = SCENARIOS[name](threads, options.tiny, options.quick)
        if options.resume and is_recorded(scenario, options.out):
            print(f"{name} is in {options.out} already.\n")
            continue
        measurements = measure(scenario, repeat=options.repeat, tiny=options.tiny)
        report = scenario.report()
        texts = (table(scenario, measurements), report)
        print("\n\n".join(filter(None, texts)), end="\n\n")
        with options.out.open("a", encoding="utf-8") as file:
            for record in records(scenario, measurements, tiny=options.tiny):
                file.write(json.dumps(record | {"report": report}) + "\n")
    print(f"written to {options.out}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="name the scenarios")
    run = commands.add_parser("run", help="measure scenarios, all by default")
    run.add_argument("scenario", nargs="*", metavar="SCENARIO")
    run.add_argument("--threads", type=_positive, default=2)
    run.add_argument("--repeat", type=_positive, default=3, help="timed calls of each")
    run.add_argument("--tiny", action="store_true", help="tiny data, for tests")
    run.add_argument(
        "--quick", action="store_true", help="fewer runs where all would take hours"
    )
    run.add_argument(
        "--resume", action="store_true", help="leave out what --out has already"
    )
    run.add_argument(
        "--out",
        type=Path,
        default=RESULTS / f"{datetime.now(UTC):%Y%m%d-%H%M%S}.jsonl",
        help="JSON Lines file to append to (default: a new one in benchmarks/results)",
    )
    return parser


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, got {value}")
    return value


if __name__ == "__main__":
    main()
