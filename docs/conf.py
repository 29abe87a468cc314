"""Sphinx configuration: `make docs`."""

from pairsift import __version__

project = "pairsift"
author = "The pairsift developers"
copyright = "2026, The pairsift developers"
release = __version__
extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx_gallery.gen_gallery",
]
sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"/plot_",
}
myst_enable_extensions = ["dollarmath", "colon_fence"]
autosummary_generate = True
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
html_theme = "pydata_sphinx_theme"
html_title = "pairsift"
exclude_patterns = ["_build", "gallery/*.ipynb", "gallery/*.py"]
templates_path = []
