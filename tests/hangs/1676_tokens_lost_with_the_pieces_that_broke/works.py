import contextlib
import os
import subprocess
import sys
import threading
import time


class Tokens:
    """As many bytes in a pipe as programs may run at once."""

    def __init__(self, ends):
        self.out, self.back = ends

    @classmethod
    def mint(cls, count):
        ends = os.pipe()
        for end in ends:
            os.set_inheritable(end, True)
        os.write(ends[1], b"+" * count)
        return cls(ends)

    def take(self):
        return os.read(self.out, 1)

    def give(self, token):
        os.write(self.back, token)

    @contextlib.contextmanager
    def one(self):
        token = self.take()
        try:
            yield
        finally:
            self.give(token)


class Works:
    def __init__(self, tokens, style):
        self.tokens = tokens
        self.style = style
        self.made = 0
        self.spoilt = 0

    def start(self, piece):
        ends = (self.tokens.out, self.tokens.back)
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "smith.py")
        return subprocess.Popen(
            [sys.executable, script, self.style, *map(str, (piece, *ends))],
            pass_fds=ends,
        )

    def gather(self, smith):
        if smith.wait() == 0:
            self.made += 1
        else:
            self.spoilt += 1

    def week(self, first):
        for smith in [self.start(piece) for piece in range(first, first + 3)]:
            self.gather(smith)

    def run(self):
        first = 0
        while True:
            self.week(first)
            first += 3


class Bellows(threading.Thread):
    def __init__(self):
        super().__init__(name="bellows", daemon=True)
        self.blown = 0

    def run(self):
        while True:
            time.sleep(0.3)
            self.blown += 1
