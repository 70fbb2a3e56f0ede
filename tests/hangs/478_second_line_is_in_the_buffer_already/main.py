import os
import select
import signal
import subprocess
import sys

signal.alarm(120)
HERE = os.path.dirname(os.path.abspath(__file__))


class Glossary:
    def __init__(self):
        self.child = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "glossary.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def next_line(self):
        select.select([self.child.stdout], [], [])
        return self.child.stdout.readline()

    def look_up(self, word):
        self.child.stdin.write(word.encode() + b"\n")
        self.child.stdin.flush()
        title = self.next_line()
        return title, self.next_line()


if __name__ == "__main__":
    glossary = Glossary()
    print("MARK main pid=%d" % os.getpid())
    print(glossary.look_up("tea"))
