"""Sphinx configuration: `make docs`."""

import pairsift

project = "pairsift"
author = "The pairsift developers"
copyright = "2026, The pairsift developers"
release = pairsift.__version__
extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    # Copies MathJax into the site, so that formulas are drawn without a network.
    "sphinx-mathjax-offline",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = [
    "_build",
    "gallery/*.ipynb",
    "gallery/*.py",
    "**sg_execution_times.rst",
]
templates_path = []

sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/plot_",
    # The build is the test of the examples: all are run, and an error ends it.
    "run_stale_examples": True,
    # Its page of running times loads scripts from outside.
    "write_computation_times": False,
}
autosummary_generate = True
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False


def cost_table():
    """Return the costs of all methods as a table whose classes link to their pages."""
    rows = ["| class | cost | also accepts |", "| --- | --- | --- |"]
    for method in pairsift.methods().to_dict("records"):
        kinds = {"missing": "missing values", "categorical": "categorical columns"}
        accepts = ", ".join(text for kind, text in kinds.items() if method[kind])
        name = f"{{py:class}}`~pairsift.{method['class']}`"
        rows.append(f"| {name} | {method['cost']} | {accepts} |")
    return "\n".join(rows)


def catalogue_table():
    """Return all methods, what they learn from and where they come from."""
    rows = [
        "| class | command line | learns from | published score is | source |",
        "| --- | --- | --- | --- | --- |",
    ]
    for method in pairsift.methods().to_dict("records"):
        name = f"{{py:class}}`~pairsift.{method['class']}`"
        cells = (method[key] for key in ("needs", "orientation", "citation"))
        rows.append(f"| {name} | `{method['name']}` | {' | '.join(cells)} |")
    return "\n".join(rows)


myst_enable_extensions = ["colon_fence", "deflist", "dollarmath", "substitution"]
myst_heading_anchors = 3
myst_substitutions = {
    "cost_table": cost_table(),
    "catalogue_table": catalogue_table(),
}

html_theme = "pydata_sphinx_theme"
html_title = "pairsift"
html_theme_options = {"header_links_before_dropdown": 8, "show_toc_level": 2}
html_sidebars = {"guide/quick-start": [], "references": []}
html_copy_source = False
html_show_sourcelink = False
