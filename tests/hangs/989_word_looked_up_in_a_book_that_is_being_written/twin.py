import contextlib
import fcntl
import os
import sys
import tempfile

import jedi

HERE = os.path.dirname(os.path.abspath(__file__))
PRESS = os.environ.setdefault("PRESS", tempfile.mkdtemp())


@contextlib.contextmanager
def press_locked():
    with open(os.path.join(PRESS, "press.lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


class Desk:
    def __init__(self):
        jedi.settings.auto_import_modules.append("plates")
        self.project = jedi.Project(HERE, load_unsafe_extensions=True)
        self.environment = jedi.create_environment(sys.executable, safe=False)

    def suggest(self, text):
        script = jedi.Script(text, project=self.project, environment=self.environment)
        return [one.name for one in script.complete()]

    def write(self, text):
        with press_locked():
            pass
        return self.suggest(text)


def run_desk():
    desk = Desk()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        desk.write("import plates\nplates.CO")


if __name__ == "__main__":
    run_desk()
