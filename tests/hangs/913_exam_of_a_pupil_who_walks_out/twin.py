import os
import sys
import tempfile
import time

from green.config import mergeConfig, parseArguments
from green.loader import GreenTestLoader
from green.output import GreenStream
from green.runner import run

WALKS_OUT = False
PAPER = """
import os
import unittest


class Sums(unittest.TestCase):
    def test_addition(self):
        self.assertEqual(2 + 2, 4)

    def test_division(self):
        if {walks_out}:
            os._exit(3)
        self.assertEqual(9 // 2, 4)
"""


def write_paper(folder):
    with open(os.path.join(folder, "test_sums.py"), "w") as paper:
        paper.write(PAPER.format(walks_out=WALKS_OUT))


class Examiner:
    def __init__(self, folder):
        os.chdir(folder)
        sys.path.insert(0, folder)
        self.args = mergeConfig(parseArguments([folder, "-s", "2", "-q"]))
        self.passed = 0

    def examine(self):
        pupils = GreenTestLoader().loadTargets(self.args.targets)
        result = run(pupils, GreenStream(open(os.devnull, "w")), self.args)
        self.passed += result.wasSuccessful()


def main():
    folder = tempfile.mkdtemp()
    write_paper(folder)
    examiner = Examiner(folder)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        examiner.examine()
        time.sleep(0.1)


if __name__ == "__main__":
    main()
