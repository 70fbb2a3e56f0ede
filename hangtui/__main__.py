"""``python -m hangtui`` and the console command."""

import sys


def main() -> int:
    """Run ``hangtui``; the exit code."""
    try:
        from hangtui.cli.main import main as run
    except KeyboardInterrupt:  # ^C before anything has begun
        return 130
    return run()


if __name__ == "__main__":
    sys.exit(main())
