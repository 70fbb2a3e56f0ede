"""A limit to the memory that is taken for a stranger's file."""

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hangtui.model import InputError


@contextmanager
def little_memory(size: int) -> Iterator[None]:
    """Take no more than *size* bytes of memory beyond what we have.

    Raises:
        InputError: more would be needed.
    """
    usual = soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = _address_space() + size
    if soft == resource.RLIM_INFINITY or limit < soft:
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    try:
        yield
    except MemoryError:
        raise InputError(f"it needs more than {size >> 20} MiB of memory") from None
    finally:
        resource.setrlimit(resource.RLIMIT_AS, usual)


def _address_space() -> int:
    pages = Path("/proc/self/statm").read_bytes().split()[0]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")
