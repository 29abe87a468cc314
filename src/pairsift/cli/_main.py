"""The Typer application, its global options and its exit codes."""

import os
import shlex
import sys
import traceback
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from inspect import cleandoc
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from pairsift._version import __version__
from pairsift._words import printable
from pairsift.cli._demo import demo
from pairsift.cli._evaluate import evaluate
from pairsift.cli._label import label
from pairsift.cli._methods import methods
from pairsift.cli._propagate import propagate
from pairsift.cli._query import query
from pairsift.cli._select import select
from pairsift.exceptions import PairsiftError

WORK_FAILED = 1
WRONG_USAGE = 2
INTERRUPTED = 130

# Words of other programs, and our options for the same.
_SYNONYMS = dict.fromkeys(("runs", "repeats", "folds"), "splits")

# What Typer raises about options; the class itself has no public name in Typer.
_UsageError: type[Exception] = typer.BadParameter.__bases__[0]


class Commands(TyperGroup):
    """The commands, run so that a mistake ends in one line and an exit code."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command and exit."""
        given = list(sys.argv[1:] if args is None else args)
        # Taken out here so that it may stand anywhere on the line.
        arguments = [word for word in given if word != "--debug"]
        run = super().main
        code = _exit_code(
            lambda: run(
                arguments,
                prog_name or "pairsift",
                complete_var,
                standalone_mode=False,
                windows_expand_args=windows_expand_args,
                obj=shlex.join(["pairsift", *given]),
                **extra,
            ),
            is_debugging=len(arguments) < len(given),
        )
        if standalone_mode:
            sys.exit(code)
        return code


def _exit_code(run: Callable[[], Any], is_debugging: bool) -> int:
    try:
        code = run()
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has gone (`| head`): nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return WORK_FAILED
    except (KeyboardInterrupt, typer.Abort):
        code = INTERRUPTED
    except Exception as error:
        from pairsift._kernels import is_lost_interrupt

        if is_debugging:
            traceback.print_exc()
        if is_lost_interrupt(error):
            code = INTERRUPTED
        else:
            message, code = _explain(error)
            typer.echo(f"pairsift: error: {printable(message)}", err=True)
    if code == INTERRUPTED:
        typer.echo("pairsift: stopped.", err=True)
    return int(code or 0)


def _explain(error: Exception) -> tuple[str, int]:
    """Return what to say about an error, and the exit code."""
    if isinstance(error, _UsageError):
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "pairsift"
        if hasattr(error, "option_name"):
            error.possibilities = _similar_options(error)  # type: ignore[attr-defined]
        # "Did you mean 'select'?." is how Typer ends its guesses.
        message = error.format_message().rstrip(".")  # type: ignore[attr-defined]
        end = "" if message.endswith("?") else "."
        return f"{message}{end} See `{command} --help`.", WRONG_USAGE
    if isinstance(error, PairsiftError):
        return str(error), WRONG_USAGE
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}.", WRONG_USAGE
    if isinstance(error, MemoryError):
        return f"not enough memory: {error}", WORK_FAILED
    found = f"{type(error).__name__}: {error}"
    return f"unexpected {found} (--debug shows where)", WORK_FAILED


def _similar_options(error: Any) -> list[str]:
    """Return options of the command that an unknown one may stand for.

    Names are compared without their dashes, which would make short ones similar.
    """
    known = {
        option.lstrip("-"): option
        for parameter in (error.ctx.command.params if error.ctx else ())
        for option in (*parameter.opts, *parameter.secondary_opts)
        if option.startswith("--")
    }
    word = error.option_name.lstrip("-").lower()
    close = get_close_matches(_SYNONYMS.get(word, word), known, cutoff=0.7)
    return [known[name] for name in close]


app = typer.Typer(
    name="pairsift",
    cls=Commands,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    epilog="[bold]Examples[/]\n\n"
    "pairsift demo\n\n"
    "pairsift select wine.csv --label class --top 5\n\n"
    "pairsift query wine.csv --drop class\n\n"
    "pairsift label wine.csv --label class\n\n"
    "pairsift select wine.csv --constraints constraints.csv --report wine.html\n\n"
    "pairsift propagate wine.csv --constraints constraints.csv --out spread.csv\n\n"
    "pairsift methods",
)


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"pairsift {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _options(
    ctx: typer.Context,
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            help="Show the version and exit.",
            callback=_print_version,
            is_eager=True,
        ),
    ] = False,
    debug: Annotated[
        bool,
        typer.Option("--debug", help="Show the traceback of an error (any position)."),
    ] = False,
) -> None:
    """Choose the right features when labels are scarce.

    Tell pairsift that two rows are the same or different, or label some of them,
    and it ranks the columns that explain it.
    """
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


def _paragraphs(text: str) -> str:
    """Join the lines of every paragraph, which Typer would break where they end."""
    parts = cleandoc(text).split("\n\n")
    return "\n\n".join(" ".join(part.split("\n")) for part in parts)


for command in (demo, select, query, label, propagate, evaluate, methods):
    app.command(help=_paragraphs(command.__doc__ or ""))(command)


def main() -> None:
    """Run the command line; the entry point of the installed program."""
    try:
        app()
    except SystemExit as end:
        if end.code == INTERRUPTED:
            sys.stdout.flush()
            # A thread may still work for what was stopped: do not wait for it.
            os._exit(INTERRUPTED)
        raise
