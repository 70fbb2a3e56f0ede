import os
import pty
import signal
import threading
import tty

import serial

signal.alarm(120)


def answer_commands(device):
    command = b""
    while True:
        command += os.read(device, 100)
        if command.endswith(b"\r\n"):
            os.write(device, b"23.5 C\r\n")
            command = b""


def read_temperature(port):
    port.write(b"TEMP?\n")
    return port.read_until(b"\r\n")


if __name__ == "__main__":
    device, name = pty.openpty()
    tty.setraw(device)
    threading.Thread(target=answer_commands, args=(device,), name="device", daemon=True).start()
    port = serial.Serial(os.ttyname(name))
    print("MARK main pid=%d" % os.getpid())
    read_temperature(port)
