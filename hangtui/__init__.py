"""The core of hangtui: a captured process as plain data, and what follows from it."""

from hangtui._version import __version__

__all__ = ["__version__"]
