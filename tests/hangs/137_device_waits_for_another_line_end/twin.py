import os
import pty
import signal
import threading
import time
import tty

import serial

signal.alarm(120)


def answer_commands(device):
    command = b""
    while True:
        command += os.read(device, 100)
        if command.endswith(b"\r\n"):
            time.sleep(0.05)
            os.write(device, b"23.5 C\r\n")
            command = b""


def read_temperature(port):
    port.write(b"TEMP?\r\n")
    return port.read_until(b"\r\n")


if __name__ == "__main__":
    device, name = pty.openpty()
    tty.setraw(device)
    threading.Thread(target=answer_commands, args=(device,), name="device", daemon=True).start()
    port = serial.Serial(os.ttyname(name))
    print("MARK main pid=%d" % os.getpid())
    while True:
        read_temperature(port)
