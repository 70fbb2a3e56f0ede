"""What stopit asks of the module that setuptools no longer has."""

from importlib import metadata


def get_distribution(name):
    return metadata.distribution(name)
