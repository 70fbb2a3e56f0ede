"""What frames give away of locks: all that reads it for one interpreter, together."""

from hangtui.backends.cpython.acquisitions import Acquisitions
from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frames
from hangtui.backends.cpython.generators import Generators
from hangtui.backends.cpython.helpers import Helpers
from hangtui.backends.cpython.locks import Locks
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.positions import Positions
from hangtui.backends.cpython.references import References
from hangtui.backends.cpython.releases import Releases
from hangtui.backends.cpython.wakers.values import Values
from hangtui.backends.cpython.with_blocks import WithBlocks


class Traces:
    """The readers of one interpreter; *locks*: what reads lock objects."""

    def __init__(
        self,
        objects: Objects,
        frames: Frames,
        codes: CodeReader,
        blocks: WithBlocks,
        references: References,
        locks: Locks | None = None,
    ) -> None:
        containers = Containers(objects, codes)
        positions = Positions(objects, frames, containers)
        values = Values(objects, frames, references, containers)
        self.releases = Releases(objects, positions, locks)
        self.signs = Acquisitions(objects, codes, positions, self.releases)
        self.helpers = Helpers(objects, codes, positions, values)
        self.generators = Generators(objects, frames, blocks, references)
