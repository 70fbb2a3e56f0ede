import os
import sys
import tempfile
import textwrap
import time

from nose2.main import PluggableTestProgram

LEAVES = True
LESSON = """
    import os
    import time
    import unittest


    class Lesson(unittest.TestCase):
        def test_sums(self):
            time.sleep(0.1)
            self.assertEqual(2 + 2, 4)

        def test_letters(self):
            if %r:
                os._exit(3)
            self.assertEqual("a" + "b", "ab")

        def test_rivers(self):
            time.sleep(0.1)
"""


class School:
    def __init__(self):
        self.folder = tempfile.mkdtemp()
        with open(os.path.join(self.folder, "test_lesson.py"), "w") as file:
            file.write(textwrap.dedent(LESSON % LEAVES))
        self.days = 0

    def examine(self):
        arguments = ["nose2", "-s", self.folder, "-t", self.folder, "--plugin", "nose2.plugins.mp"]
        PluggableTestProgram(module=None, argv=[*arguments, "-N", "2"], exit=False)
        self.days += 1


def main():
    school = School()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        school.examine()
        sys.modules.pop("test_lesson", None)
        time.sleep(0.05)


if __name__ == "__main__":
    main()
