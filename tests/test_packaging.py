"""What an installation needs, and what the archives hold that are handed out."""

import email
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from pairsift.__main__ import EXTRA

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
WITHOUT = """
import sys

class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, NotInstalled())
"""
FIT = """
import numpy as np
import pairsift
X = np.random.default_rng(0).normal(size=(30, 4))
y = np.arange(30) % 2
pairs = pairsift.PairConstraints.sample(y, 5, 5, random_state=0)
print(pairsift.ReliefF(2).fit(X, y).transform(X).shape)
print(pairsift.PairLogistic(2).fit(X, constraints=pairs).transform(X).shape)
"""


def requirements(extra):
    """Names in a list of pyproject.toml, and in the extras of ours that it names."""
    listed = PROJECT["optional-dependencies"].get(extra, PROJECT["dependencies"])
    names = {re.match(r"[\w-]+", line)[0]: line for line in listed}
    ours = re.search(r"\[(.*)\]", names.pop("pairsift", "[]"))[1]
    return set(names).union(*map(requirements, filter(None, ours.split(","))))


def run_without(names, program):
    return subprocess.run(
        [sys.executable, "-c", WITHOUT.format(names=names) + program],
        capture_output=True,
        text=True,
    )


@pytest.mark.subprocess
def test_selectors_fit_without_pandas_and_the_packages_of_the_command_line():
    names = [*requirements("cli"), *requirements("plot"), "pandas"]
    result = run_without(names, FIT)
    assert (result.stdout, result.stderr) == ("(30, 2)\n" * 2, "")


@pytest.mark.subprocess
@pytest.mark.parametrize("name", EXTRA)
def test_the_command_names_what_is_not_installed(name):
    result = run_without([name], "from pairsift.__main__ import main; main()")
    assert result.returncode == 1
    assert result.stdout == ""
    assert result.stderr == (
        f"pairsift: error: the command needs {name}, which is not installed: "
        "install pairsift with its extra cli, which pip, pipx and uv all write as "
        "'pairsift[cli]'.\n"
    )


def test_an_error_of_our_own_is_not_taken_for_a_missing_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "pairsift.cli", None)
    from pairsift.__main__ import main

    with pytest.raises(ModuleNotFoundError, match=r"pairsift\.cli"):
        main()


def test_the_extra_of_the_command_line_is_what_the_message_says():
    assert set(EXTRA) < requirements("cli")
    assert not requirements("cli") & requirements("dependencies")
    assert requirements("cli") < requirements("test")


def test_oldest_dependencies_are_the_declared_ones():
    extras = PROJECT["optional-dependencies"]
    parts = [extras[name] for name in ("cli", "label", "plot")]
    declared = [*PROJECT["dependencies"], *(line for part in parts for line in part)]
    # Old releases of scikit-learn do not find the names of newer frames.
    declared += [line for line in extras["test"] if line.startswith("polars")]
    bounds = dict(line.split(">=") for line in declared)
    text = (ROOT / "tests" / "oldest.txt").read_text("utf-8")
    oldest = dict(re.findall(r"^([\w-]+)==(.+)$", text, re.M))
    assert oldest.keys() == bounds.keys()
    for name, version in oldest.items():
        assert re.fullmatch(rf"{re.escape(bounds[name])}(\.0)*", version), name


GENERATED = (
    "docs/_build/html/index.html",
    "docs/api/generated/pairsift.rst",
    "docs/gallery/index.rst",
    "tests/__pycache__/conftest.pyc",
    "src/pairsift/_kernels/__pycache__/_jit.nbi",
)


def listed_files():
    """The files of the repository, without what .gitignore leaves out."""
    command = ["git", "-c", "safe.directory=*", "ls-files", "--exclude-standard"]
    found = subprocess.run(
        [*command, "--cached", "--others"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return {name for name in found.stdout.splitlines() if (ROOT / name).is_file()}


def build(kind, tree, folder):
    """Build an archive with the setuptools that is installed, without a network."""
    program = f"from setuptools import build_meta as b; b.build_{kind}({str(folder)!r})"
    subprocess.run(
        [sys.executable, "-c", program], cwd=tree, capture_output=True, check=True
    )


@pytest.fixture(scope="module")
def archives(tmp_path_factory):
    """Names in the source distribution, and the wheel that is built from it."""
    pytest.importorskip("setuptools", minversion="77")
    if not (ROOT / ".git").exists():
        pytest.skip("needs the list of files of a clone")
    folder = tmp_path_factory.mktemp("archives")
    for name in listed_files():
        target = folder / "tree" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, target)
    for name in GENERATED:
        target = folder / "tree" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text("made by a program")
    build("sdist", folder / "tree", folder)
    with tarfile.open(next(folder.glob("*.tar.gz"))) as source:
        names = {m.name.partition("/")[2] for m in source.getmembers() if m.isfile()}
        source.extractall(folder / "unpacked", filter="data")
    build("wheel", next((folder / "unpacked").iterdir()), folder)
    return names, next(folder.glob("*.whl"))


@pytest.mark.slow
@pytest.mark.subprocess
def test_the_source_distribution_holds_the_whole_repository(archives):
    names, _ = archives
    added = {name for name in names if ".egg-info/" in name} | {"PKG-INFO", "setup.cfg"}
    assert names - added == listed_files()


@pytest.mark.slow
@pytest.mark.subprocess
def test_the_wheel_holds_the_package_and_nothing_else(archives):
    _, wheel = archives
    names = {
        name for name in zipfile.ZipFile(wheel).namelist() if "dist-info" not in name
    }
    ours = {name[4:] for name in listed_files() if name.startswith("src/")}
    assert names == ours


@pytest.mark.slow
@pytest.mark.subprocess
def test_the_front_page_on_an_index_has_no_dead_link(archives):
    _, wheel = archives
    archive = zipfile.ZipFile(wheel)
    name = next(n for n in archive.namelist() if n.endswith("/METADATA"))
    metadata = email.message_from_bytes(archive.read(name))
    assert metadata["Description-Content-Type"] == "text/markdown"
    page = metadata.get_payload(decode=True).decode()
    readme = (ROOT / "README.md").read_text("utf-8")
    links = r"(!?)\[([^]]*)\]\((?!\w+:)([^)#]*)[^)]*\)"
    assert not re.search(links, page)
    words = re.sub(r"```.*?```|`[^`]*`", "CODE", page, flags=re.DOTALL)
    assert not re.search(r"[ (]\)|\( | [.,;]|\bsee *\.", words)
    dead = re.findall(links, readme)
    assert dead
    for is_image, text, target in dead:
        assert (target in page) == (not is_image)
        assert (text in page) == (not is_image)
    assert page.count("\n#") == readme.count("\n#")
    assert page.count("```") == readme.count("```")


def test_the_classifiers_name_what_was_tested():
    systems = [c for c in PROJECT["classifiers"] if c.startswith("Operating System")]
    assert systems == ["Operating System :: POSIX :: Linux"]
