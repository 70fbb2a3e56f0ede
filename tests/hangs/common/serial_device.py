"""A machine on a serial line, the other end of a terminal that it inherits: answers every line."""

import os
import sys
import tty

line = int(sys.argv[1])
tty.setraw(line)
with os.fdopen(line, "rb", 0) as commands, os.fdopen(os.dup(line), "wb", 0) as answers:
    pending = b""
    while received := commands.read(4096):
        *whole, pending = (pending + received).split(b"\n")
        for command in whole:
            answers.write(b"ok " + command + b"\n")
