"""Healthy programs whose short-lived threads import modules, or have interpreters of their own.

The first argument names the program.
"""

import itertools
import sys

from churning import churn, main, pause, work

_NAMES = ("colorsys", "sched", "netrc", "quopri")


def imports():
    """Threads that import the same modules again and again."""
    import importlib

    counter = itertools.count()

    def load(number):
        name = _NAMES[next(counter) % len(_NAMES)]
        sys.modules.pop(name, None)
        try:
            importlib.import_module(name)
        except (KeyError, ImportError):
            pass  # another thread has removed it again

    churn(load)


def slow_imports():
    """Modules whose code takes some milliseconds, which several threads want at once."""
    import importlib.abc
    import importlib.util

    counter = itertools.count()

    class Loader(importlib.abc.Loader):
        def create_module(self, spec):
            return None

        def exec_module(self, module):
            pause()

    class Finder(importlib.abc.MetaPathFinder):
        def find_spec(self, name, path, target=None):
            if name.startswith("slow_"):
                return importlib.util.spec_from_loader(name, Loader())
            return None

    sys.meta_path.insert(0, Finder())

    def load(number):
        name = "slow_%d" % (next(counter) // 3)
        importlib.import_module(name)
        work()

    churn(load)


def interpreters():
    """Interpreters that threads make, use for a moment and end."""
    try:
        import _interpreters as made  # from 3.13 on
    except ImportError:
        import _xxsubinterpreters as made

    program = "import time; time.sleep(0.002)"

    def use(number):
        one = made.create()
        pause()
        made.run_string(one, program)
        made.destroy(one)

    churn(use, threads=2)


if __name__ == "__main__":
    main(globals())
