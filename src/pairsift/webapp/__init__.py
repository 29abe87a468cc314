"""The labelling page: people sort samples in a browser on this machine."""

from pairsift.webapp._label import LabelSession, label

__all__ = ["LabelSession", "label"]
