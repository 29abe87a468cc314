"""The labelling page: people sort samples in a browser on this machine."""

# Names imported as themselves (`X as X`) are shared with other packages, not public.
from pairsift.webapp._desk import Desk as Desk
from pairsift.webapp._label import (
    LabelSession,
    label,
    make_server as make_server,
    open_session as open_session,
    require_label_extra as require_label_extra,
)
from pairsift.webapp._pictures import find_images as find_images
from pairsift.webapp._samples import Looks as Looks, Samples as Samples

__all__ = ["LabelSession", "label"]
