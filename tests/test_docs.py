"""The README and the guide: their code runs, their tables are true."""

import contextlib
import importlib
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import ClassVar

import pytest
import sklearn
from typer.testing import CliRunner

import pairsift
from pairsift.cli import _demo, app

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHELL_PAGES = [page for page in PAGES if "```sh\n" in page.read_text("utf-8")]


@pytest.mark.slow  # all together
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_examples_run(page, capsys):
    blocks = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    names: dict[str, object] = {}
    with sklearn.config_context():
        for block in blocks:
            exec(compile(block, str(page), "exec"), names)


class Shell:
    """Runs the shell lines of a page in process, in a folder after ``make demo``.

    Lines that only set up an environment are passed over; any other command that is not
    ours is an error, so that every line of a page has been thought of.
    """

    SET_UP = (".", "make", "pip", "git")
    # What a line needs that a test does not have: a person with a browser.
    NOT_RUN = r"label "
    # Smaller than printed, for time.
    SMALLER: ClassVar = {"evaluate": ["--splits", "1", "--jobs", "1"]}

    def __init__(self, folder):
        self.folder, self.ran = folder, []

    def run(self, line):
        before, _, command = line.rpartition("|")
        words = shlex.split(command, comments=True)
        if not words or words[0] in self.SET_UP:
            return
        if words[0] == "cd":
            self.folder = self.folder / words[1]
            assert self.folder.is_dir(), line
            return
        if words[:3] == ["python", "-m", "reproduction"]:
            # It needs data sets of the papers, and hours.
            self.ran.append(command)
            return
        assert words[0] == "pairsift", line
        text = shlex.join(words[1:])
        if text != "demo" and not re.match(self.NOT_RUN, text):
            # A person sorts cards by turns, and says "different" of all pairs.
            self._pairsift(words[1:], self._printed(before) or "n\nd\n1\n" * 12)
        self.ran.append(text)

    def _printed(self, command):
        if not command:
            return ""
        return subprocess.run(
            ["sh", "-c", command], capture_output=True, text=True, check=True
        ).stdout

    def _pairsift(self, words, answers):
        with contextlib.chdir(self.folder):
            arguments = [*words, *self.SMALLER.get(words[0], [])]
            result = CliRunner().invoke(app, arguments, input=answers)
        assert result.exit_code == 0, f"{shlex.join(words)}: {result.stderr}"


@pytest.fixture(scope="module")
def after_demo(tmp_path_factory):
    """A folder in which ``make demo`` was run, with fewer splits."""
    folder = tmp_path_factory.mktemp("clone")
    with pytest.MonkeyPatch.context() as patch, contextlib.chdir(folder):
        patch.setattr(_demo, "N_SPLITS", 2)
        result = CliRunner().invoke(app, ["demo"])
    assert result.exit_code == 0, result.stderr
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("page", SHELL_PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_shell_lines_run_as_printed(page, after_demo, tmp_path):
    shutil.copytree(after_demo, tmp_path / "clone")
    shell = Shell(tmp_path / "clone")
    for block in re.findall(r"```sh\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
        for line in block.splitlines():
            shell.run(line)
    assert shell.ran


def test_api_page_lists_every_public_name():
    page = (ROOT / "docs" / "api" / "index.md").read_text("utf-8")
    listed = set(re.findall(r"^   ([\w.]+)$", page, re.M)) - {"pairsift"}
    public = set(pairsift.__all__) - {"__version__"}
    for room in pairsift._ROOMS:
        module = importlib.import_module(f"pairsift.{room}")
        # A name of the package may be another thing in a room.
        public |= {
            f"{room}.{name}"
            for name in module.__all__
            if getattr(module, name) is not getattr(pairsift, name, None)
        }
    assert listed == public


def test_relative_links_lead_somewhere():
    links = [
        (page, target)
        for page in PAGES
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8"))
    ]
    assert links
    lost = [
        f"{page.relative_to(ROOT)}: {target}"
        for page, target in links
        if not (page.parent / target).exists()
    ]
    assert not lost, "\n".join(lost)


def test_citation_names_the_version():
    for name in ("CITATION.cff", "README.md"):
        assert pairsift.__version__ in (ROOT / name).read_text("utf-8")


def test_titles_in_the_head_of_the_site_fit_one_line():
    # At 1280 px the theme's head has room for about 60 characters in eight titles
    # (seen in Chromium); more of them wrap onto a second line.
    page = (ROOT / "docs" / "index.md").read_text("utf-8")
    titles = re.findall(r"^(.+) <[\w/-]+>$", page, re.M)
    assert titles
    assert sum(map(len, titles)) + len("References") <= 60


def test_front_pages_claim_no_more_than_the_inner_pages():
    inner = (ROOT / "docs" / "guide" / "active.md").read_text("utf-8")
    for front in (ROOT / "README.md", ROOT / "docs" / "index.md"):
        text = front.read_text("utf-8")
        assert "nearly as well" not in text
        figures = re.findall(r"\d\d\.\d(?= [|\n])|\d\.\d ± \d\.\d", text)
        assert figures
        assert [figure for figure in figures if figure not in inner] == []


def test_no_page_is_cited_that_is_not_in_the_repository():
    # Pages of the people who plan the work, which others cannot read.
    elsewhere = re.compile(r"METHODS \d+|\b(?:HOUSE-REVIEW|STYLE|API|METHODS)\.md")
    folders = ("src", "docs", "benchmarks", "reproduction", "examples", "tools")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.*")]
    texts = [p for p in files if p.suffix in (".py", ".md") and "_build" not in p.parts]
    assert texts
    found = [
        path.relative_to(ROOT)
        for path in [*texts, ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
        if elsewhere.search(path.read_text("utf-8"))
    ]
    assert found == []
