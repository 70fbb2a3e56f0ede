"""The place of a process in a job of several, as whoever started it has told it.

Of a process's environment these variables alone are looked at, and of them numbers alone are kept.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from hangtui.backends.procfs.files import first_environment
from hangtui.model import JobPlace

_STARTERS = (
    ("RANK", "LOCAL_RANK", "WORLD_SIZE"),
    ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "OMPI_COMM_WORLD_SIZE"),
    ("PMI_RANK", "MPI_LOCALRANKID", "PMI_SIZE"),
    ("SLURM_PROCID", "SLURM_LOCALID", "SLURM_NTASKS"),
)
"""What torchrun, Open MPI, MPICH and Slurm call a process's rank, that on its node, and how many
ranks there are."""
_NODE = "NODE_RANK"
"""Lightning tells its ranks no more than this, the rank on the node, and how many there are."""
_PORT = "MASTER_PORT"
NAMES = frozenset({_NODE, _PORT, *(name for names in _STARTERS for name in names)})
"""All of them."""
_DIGITS = 7


def place_of(root: Path) -> JobPlace | None:
    """The place of the process in *root*; None: it has none, or that is not known.

    Raises:
        OSError: the process is gone.
    """
    words = (word.partition("=") for word in first_environment(root))
    return place_among((name, value) for name, _, value in words)


def place_among(variables: Iterable[tuple[str, str]]) -> JobPlace | None:
    """The place that these names and values of variables tell; None: none."""
    known = {name: value for name, value in variables if name in NAMES}
    for rank, local, size in _STARTERS:
        number = _number(known, rank)
        if number is not None:
            place = JobPlace(number, _number(known, local), _number(known, size))
            return replace(place, port=_number(known, _PORT))
    _, local, size = _STARTERS[0]
    number = _number(known, local)
    if number is not None and _number(known, _NODE) == 0 and _number(known, size) is not None:
        return JobPlace(number, number, _number(known, size))  # on the first node they are the same
    return None


def _number(known: Mapping[str, str], name: str) -> int | None:
    word = known.get(name, "")
    return int(word) if word.isascii() and word.isdecimal() and len(word) <= _DIGITS else None
