"""What /proc says a descriptor is that is a socket: ``socket:[4711]``, with its inode."""

_BEGIN, _END = "socket:[", "]"


def inode_of(link: str) -> int | None:
    """The inode of the socket that a descriptor's link names; None: it is no socket."""
    return int(link[len(_BEGIN) : -len(_END)]) if link.startswith(_BEGIN) else None


def link_of(inode: int) -> str:
    """The link of a descriptor that is the socket with this inode."""
    return f"{_BEGIN}{inode}{_END}"
