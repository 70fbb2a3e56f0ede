import os
import tty

import serial
from serial.threaded import LineReader


def open_line():
    """A serial line between the house (near) and the gauge (far)."""
    master, slave = os.openpty()
    tty.setraw(master)
    tty.setraw(slave)
    return serial.Serial(os.ttyname(slave), 9600, timeout=1), master


class Talk(LineReader):
    """Lines of the gauge: those with a mark are events, others are answers."""

    TERMINATOR = b"\n"

    def __init__(self):
        super().__init__()
        self.on_event = None
        self.answers = None

    def handle_line(self, line):
        if line.startswith("!"):
            self.on_event(line[1:])
        elif line:
            self.answers.put(line)
