"""The version of hangtui, in one place for the package metadata and for captures."""

__version__ = "0.2.0"
