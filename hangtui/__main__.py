"""``python -m hangtui`` and the console command."""

import gc
import sys


def main() -> int:
    """Run ``hangtui``; the exit code."""
    try:
        from hangtui.cli.reading import prepare

        prepare(sys.argv[1:])
        from hangtui.cli.main import main as run
    except KeyboardInterrupt:  # ^C before anything has begun
        return 130
    code = run()
    gc.freeze()  # else the interpreter looks for garbage among all modules before it exits
    return code


if __name__ == "__main__":
    sys.exit(main())
