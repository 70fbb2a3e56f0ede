"""How a call of a library is given a timeout, in the library's own words."""

from hangtui.analysis.places import application_index, library_frame, package_of
from hangtui.model import Thread

_PACKAGES = {
    "botocore": "Config(read_timeout=10) for the client",
    "elasticsearch": "client.options(request_timeout=10)",
    "httpx": "httpx.Client(timeout=10)",
    "kombu": "drain_events(timeout=10)",
    "ldap3": "Connection(..., receive_timeout=10)",
    "paramiko": "channel.settimeout(10)",
    "pymongo": "MongoClient(..., socketTimeoutMS=10000)",
    "pymysql": "pymysql.connect(..., read_timeout=10)",
    "redis": "Redis(..., socket_timeout=10)",
    "requests": "requests.get(url, timeout=(3, 10))",
    "urllib3": "urllib3.Timeout(connect=3, read=10) as timeout= of the request or the pool",
    "websockets": "recv(timeout=10)",
}
_MODULES = {
    "/http/client.py": "http.client.HTTPConnection(host, timeout=10)",
    "/ftplib.py": "FTP(host, timeout=10)",
    "/imaplib.py": "IMAP4(host, timeout=10)",
    "/poplib.py": "POP3(host, timeout=10)",
    "/urllib/request.py": "urlopen(url, timeout=10)",
    "/smtplib.py": "SMTP(host, timeout=10)",
}
"""Of the standard library, by the end of the file's path."""
_DEAF = {
    "/httpcore/_sync/socks_proxy.py": (
        "httpcore 1.0 heeds no timeout of the client while it greets a SOCKS proxy: bound the "
        "call from outside, such as by a thread that is waited for with a timeout."
    ),
}
"""Where the timeouts of a package do not hold, by the end of the file's path."""


def deaf_to_timeouts(thread: Thread) -> str | None:
    """What to do where the library's own timeouts do not hold; None: they do, as far as known."""
    stack = thread.python_stack or ()
    inside = stack[: application_index(stack)]
    files = [frame.filename for frame in inside]
    hints = (hint for end, hint in _DEAF.items() if any(one.endswith(end) for one in files))
    return next(hints, None)


def timeout_of(thread: Thread) -> str | None:
    """What to write, for the library that the application calls; None: it is not known here."""
    stack = thread.python_stack or ()
    index = application_index(stack)
    if not index:
        return None
    called = stack[index - 1]
    package = package_of(called)
    if package is not None:
        return _PACKAGES.get(package)
    known = (hint for file, hint in _MODULES.items() if called.filename.endswith(file))
    return next(known, None) if library_frame(called) else None
