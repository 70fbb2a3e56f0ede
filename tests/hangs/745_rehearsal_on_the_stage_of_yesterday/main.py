import os
import signal
import tempfile

import django
from django.conf import settings
from django.test.runner import DiscoverRunner

signal.alarm(120)

folder = tempfile.mkdtemp()
stage = os.path.join(folder, "stage.db")
settings.configure(
    SECRET_KEY="theatre",
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": os.path.join(folder, "theatre.db"),
            "TEST": {"NAME": stage},
        }
    },
)
django.setup()


class Rehearsal:
    def __init__(self):
        self.runner = DiscoverRunner(verbosity=0)

    def run(self):
        before = self.runner.setup_databases()
        self.runner.teardown_databases(before)


def rehearse():
    with open(stage, "wb"):
        pass
    Rehearsal().run()


if __name__ == "__main__":
    reader, writer = os.pipe()
    os.dup2(reader, 0)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    rehearse()
