import itertools
import json
import os
import signal
import socket
import struct
import time

from sales import start_office

signal.alarm(120)


def file_letter(line, number):
    letter = json.dumps({"number": number}).encode()
    line.sendall(struct.pack(">I", len(letter)) + letter)
    (size,) = struct.unpack(">I", line.recv(4))
    return json.loads(line.recv(size))["filed"]


if __name__ == "__main__":
    port = start_office()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    with socket.create_connection(("127.0.0.1", port)) as line:
        for number in itertools.count():
            file_letter(line, number)
            time.sleep(0.1)
