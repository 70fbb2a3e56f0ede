"""A library runs its own event loop until its child has answered, which waits for something else;
with "answers": the child answers each line.
"""

import os
import sys
import time

from ready import HERE, PYTHON, ready

sys.path.insert(0, os.path.join(HERE, "near_ends_of", "site-packages"))

import tinyeditor

CHILD = """
import os, sys, threading
for piece in iter(lambda: os.read(0, 100), b""):
    if sys.argv[1:] == ["answers"]:
        os.write(1, piece)
    elif piece == b"write":
        threading.Event().wait()
    else:
        os.write(1, piece)
"""


def dictate(editor, line):
    editor.command(line)


def main():
    editor = tinyeditor.Editor([PYTHON, "-c", CHILD, *sys.argv[1:]])
    dictate(editor, b"open")
    ready()
    while True:
        dictate(editor, b"write")
        time.sleep(0.01)


main()
