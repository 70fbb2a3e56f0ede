import os
import threading
import time
import tty

import serial


class Platform(threading.Thread):
    """The weighbridge at the other end of the line."""

    def __init__(self, readings):
        super().__init__(name="platform", daemon=True)
        self.line, other = os.openpty()
        tty.setraw(other)
        self.port = os.ttyname(other)
        self.other = other
        self.readings = readings
        self.tickets = 0

    def take(self, size):
        got = b""
        while len(got) < size:
            got += os.read(self.line, size - len(got))
        return got

    def run(self):
        for weight in self.readings:
            os.write(self.line, bytes((0x02, weight // 256, weight % 256, 0x03)))
            self.take(Ticket.SIZE)
            self.tickets += 1
            time.sleep(0.2)


class Ticket:
    SIZE = 24

    def __init__(self, number, weight):
        self.number = number
        self.weight = weight

    def encode(self):
        return (b"%06d:%06d" % (self.number, self.weight)).ljust(self.SIZE)


class Line:
    def __init__(self, port):
        self.serial = serial.Serial(port, 9600, xonxoff=True, timeout=0.5)

    def reading(self):
        frame = b""
        while len(frame) < 4:
            frame += self.serial.read(4 - len(frame))
            if len(frame) == 3 and frame[0] == 2 and frame[-1] == 3:
                break
        return int.from_bytes(frame[1:-1], "big")

    def print_ticket(self, ticket):
        self.serial.write(ticket.encode())
        self.serial.flush()
