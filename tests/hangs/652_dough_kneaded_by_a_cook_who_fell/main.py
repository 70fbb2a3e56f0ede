import os
import signal
import sys
import tempfile

from doit.cmd_base import ModuleTaskLoader
from doit.doit_cmd import DoitMain

signal.alarm(120)


def run_kitchen(recipes):
    return DoitMain(ModuleTaskLoader(recipes)).run(["run"])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ["KITCHEN_DB"] = os.path.join(folder, "kitchen.db")
        import dodo

        print("MARK main pid=%d" % os.getpid(), flush=True)
        sys.exit(run_kitchen(dodo))
