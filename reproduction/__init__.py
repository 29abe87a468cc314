"""The experiments of the papers, run again: published values beside ours.

``python -m reproduction`` from the root of the repository lists them and runs them.
"""
