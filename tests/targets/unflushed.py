"""A program writes a question into a file object, does not flush it, and waits for the answer.

Usage: unflushed.py text|bytes|socket
"""

import os
import socket
import sys

from ready import ready

KIND = sys.argv[1]
QUESTION = "how many bytes?\n"


def serve(file):
    for line in file:
        print(line)


class Engine:
    def __init__(self, to, back):
        self.questions, self.answers = to, back

    def ask(self):
        text = KIND == "text"
        self.questions.write(QUESTION if text else QUESTION.encode())
        return self.answers.readline()


def main():
    if KIND == "socket":
        ours, theirs = socket.socketpair()
        ends = ours.makefile("wb"), ours.makefile("rb")
        others = theirs.makefile("rb"), theirs
        mine = (ours,)
    else:
        (one, other), (back, there) = os.pipe(), os.pipe()
        ends = os.fdopen(other, "w" if KIND == "text" else "wb"), os.fdopen(back, "rb")
        others = os.fdopen(one, "rb"), os.fdopen(there, "wb")
        mine = ()
    if os.fork() == 0:
        for file in (*ends, *mine):
            file.close()
        serve(others[0])
        return
    for file in others:
        file.close()
    engine = Engine(*ends)
    ready()
    engine.ask()


main()
