"""``python -m hangtui`` and the console command."""

import sys

from hangtui.cli.main import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
