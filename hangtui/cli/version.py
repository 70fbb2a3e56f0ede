"""``hangtui --version``: which one this is, what it reads, and which extras are installed."""

import argparse
import json
import platform
from importlib.util import find_spec

from hangtui import __version__
from hangtui.cli import output

_EXTRAS = {"mcp": "mcp", "serve": "textual_serve"}
"""Module by the name of the extra that installs it."""


def run(args: argparse.Namespace) -> int:
    """Print."""
    output.write(f"{_json()}\n" if args.json else f"hangtui {__version__}\n")
    return 0


def _json() -> str:
    from hangtui.backends.cpython.layouts import SUPPORTED
    from hangtui.model import SCHEMA

    return json.dumps(
        {
            "schema": "hangtui.version/1",
            "name": "hangtui",
            "version": __version__,
            "python": platform.python_version(),
            "machine": platform.machine(),
            "captures": SCHEMA,
            "reads_python": SUPPORTED,
            "extras": {extra: find_spec(name) is not None for extra, name in _EXTRAS.items()},
        },
        indent=2,
    )
