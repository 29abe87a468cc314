"""What a scenario is: a class that asv could read too."""

from typing import ClassVar


class Scenario:
    """Data made by `setup`, and methods named by what is measured of them.

    `time_*` methods are timed and compared with the one named by `reference`, of
    `peakmem_*` the peak extra memory is measured, `track_*` return a number, or None
    when there is nothing to measure. What no single number says is in `report`.
    """

    name: ClassVar[str]
    reference: ClassVar[str]
    sizes: ClassVar[dict[str, int]]
    tiny_sizes: ClassVar[dict[str, int]]
    quick_sizes: ClassVar[dict[str, int]] = {}
    """For ``--quick``, where the whole takes long."""
    seed: ClassVar[int] = 0

    def __init__(
        self, threads: int = 2, tiny: bool = False, quick: bool = False
    ) -> None:
        self.threads = threads
        self.size = self.tiny_sizes if tiny else self.sizes
        if quick and self.quick_sizes:
            self.size = self.quick_sizes

    def setup(self) -> None:
        """Make the data; neither timed nor counted as memory."""

    def report(self) -> str:
        """Return lines to be printed below the measurements."""
        return ""

    @classmethod
    def methods(cls, kind: str) -> list[str]:
        return [name for name in dir(cls) if name.startswith(f"{kind}_")]
