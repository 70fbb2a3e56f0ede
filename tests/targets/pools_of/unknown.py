"""A library that nobody knows, as if it were installed."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "site-packages"))

import tinypool


def taking(size):
    return tinypool.DuckPool(size).duck
