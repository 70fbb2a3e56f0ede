"""What some locks of C libraries are for, in the words of these, and who is inside of one where."""

from hangtui.analysis.merge import merge
from hangtui.model import PythonFrame, Resource, Thread

_LMDB, _LMDB_WRITER = "/lock.mdb", "offset 64"
"""lmdb.c, MDB_txninfo: the mutex of readers is in its first 64 bytes, that of the writer behind."""
_LMDB_SAYS = " LMDB's writer lock is kept from begin(write=True) to the end of that transaction."
_SQLITE_SAYS = " By its mutex SQLite lets one thread at a time use a connection."
_MODULES = (("libsqlite3", _SQLITE_SAYS), ("_sqlite3", _SQLITE_SAYS))
"""By how the name of the module begins."""


def library_name(resource: Resource) -> str | None:
    """``LMDB's writer lock of /srv/db``; None: it has no such name."""
    name = resource.name or ""
    if name.endswith(_LMDB) and resource.detail == _LMDB_WRITER:
        return f"LMDB's writer lock of {name.partition(' in ')[2].removesuffix(_LMDB)}"
    return None


def told_purpose(resource: Resource) -> str:
    """What it is for, as a sentence with a space before it; empty: not known."""
    if library_name(resource):
        return _LMDB_SAYS
    file = (resource.module or "").rpartition("/")[2]
    return next((says for start, says in _MODULES if file.startswith(start)), "")


def entered_by(thread: Thread, resource: Resource) -> PythonFrame | None:
    """The frame of Python that has called into the library of a lock which *thread* has; None: it
    is not inside of that, or that cannot be told."""
    if resource.module is None:
        return None
    inside = False
    merged = merge(thread)
    for row in merged.rows if merged.aligned else ():
        inside = inside or (row.native is not None and row.native.module == resource.module)
        if inside and row.python is not None:
            return row.python
    return None
