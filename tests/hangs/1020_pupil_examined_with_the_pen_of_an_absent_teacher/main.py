import os
import sys
import tempfile
import textwrap

import pytest

LESSON = """
    import threading
    import time

    import pytest

    PEN = threading.Lock()
    PAUSE = 0.0005


    def mark_papers():
        while True:
            with PEN:
                time.sleep(0.05)
            time.sleep(PAUSE)


    threading.Thread(target=mark_papers, name="teacher", daemon=True).start()
    time.sleep(0.1)


    def write_name():
        with PEN:
            return "name"


    @pytest.mark.parametrize("pupil", range(200))
    def test_pupil(pupil):
        assert write_name() == "name"
"""
FORKED = True


class School:
    def __init__(self):
        self.folder = tempfile.mkdtemp()
        self.lesson = os.path.join(self.folder, "test_lesson.py")
        with open(self.lesson, "w") as file:
            file.write(textwrap.dedent(LESSON))

    def examine(self):
        arguments = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", self.lesson]
        return pytest.main(arguments + (["--forked"] if FORKED else []))


def main():
    school = School()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        school.examine()
        sys.modules.pop("test_lesson", None)


if __name__ == "__main__":
    main()
