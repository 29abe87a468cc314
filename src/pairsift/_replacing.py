"""Files that are replaced as a whole."""

import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from pairsift._file_modes import create, restrict
from pairsift.exceptions import DataError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a draft to write, which then takes the place of the file as a whole.

    Readers never see half a file, and a link stays a link. What cannot be replaced, a
    pipe, a device or a file in a read-only folder, is written to. Others may do with it
    at most what they may do with the table (`private_as`).
    """
    target = followed(path)
    # What /dev/stdout leads to may be a regular file, but one that is being written.
    is_device = path.absolute().parent == Path("/dev")
    is_special = path.exists() and (is_device or not path.is_file())
    is_direct = is_special or (path.exists() and not os.access(target.parent, os.W_OK))
    try:
        with ExitStack() as stack:
            folder = target.parent
            if is_direct:
                folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            name = f".pairsift-{secrets.token_hex(4)}.part"
            draft = folder / name
            stack.callback(draft.unlink, missing_ok=True)
            create(draft)
            yield draft
            if is_direct:
                if not is_special:
                    restrict(target)
                mode = "ab" if is_special else "wb"
                with draft.open("rb") as source, path.open(mode) as file:
                    shutil.copyfileobj(source, file)
            else:
                if target.exists():
                    shutil.copymode(target, draft)
                    restrict(draft)
                draft.replace(target)
    except OSError as error:
        raise DataError(f"cannot write {path}: {error.strerror or error}.") from error


def followed(path: Path) -> Path:
    """Return where links lead; unlike `resolve`, a circle of them to itself."""
    return Path(os.path.realpath(path))
