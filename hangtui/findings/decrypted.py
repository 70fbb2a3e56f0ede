"""What a select() before a read cannot tell of a connection that is encrypted by TLS."""

from hangtui.model import Resource


def told_decrypted(resource: Resource | None) -> str:
    """`` That socket is one of TLS ...``, of a connection that somebody asks about before he reads
    from it by an object which decrypts; else nothing."""
    if resource is None or not resource.decrypted_by_reader:
        return ""
    return (
        " What is asked about there is a socket of TLS (ssl.SSLSocket): it decrypts whole records, "
        "and what is left of one when less was read lies in that object, where select() and poll() "
        "do not see it. Only its pending() tells whether that is what is waited for."
    )


READ_FIRST = (
    "Read from an ssl.SSLSocket first, without blocking, or ask its pending(), and wait in "
    "select() only if nothing is left."
)
"""What to do about that."""
