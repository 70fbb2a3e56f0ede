import os
import pty
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


class Screen:
    """Stands for the glass in the hall: keeps what is drawn."""

    ASKED = re.compile(rb"\x1b\[6n")

    def __init__(self, answers):
        self.answers = answers
        self.ours, theirs = pty.openpty()
        self.board = subprocess.Popen(
            [sys.executable, "-u", str(HERE / "board.py")],
            stdin=theirs,
            stdout=theirs,
            env={**os.environ, "TERM": "xterm"},
            start_new_session=True,
        )
        os.close(theirs)
        self.drawn = b""

    def show(self):
        while True:
            piece = os.read(self.ours, 4096)
            self.drawn = (self.drawn + piece)[-4096:]
            if self.answers and self.ASKED.search(piece):
                os.write(self.ours, b"\x1b[5;1R")
