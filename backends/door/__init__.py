"""The one door to files that a target, a core file or a debug link names.

Whoever names a file also made the links on the way to it, may swap them meanwhile, and may have
put a pipe, a device or a file system there that never answers. So a file is found below a root, as
who lives in that root sees it; it is opened only if it is a regular file that the target's own
user could read; and all that one target costs through files is counted against its budget.
No other module opens such a file: tests/unit/test_door_rule.py looks after that.
"""

from hangtui.backends.door.budget import Budget, RefusedError, SpentError
from hangtui.backends.door.root import Folder, Root

__all__ = ["Budget", "Folder", "RefusedError", "Root", "SpentError"]
