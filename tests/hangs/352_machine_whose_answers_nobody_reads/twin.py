import os
import signal
import subprocess
import sys
import tty

import serial

signal.alarm(120)
DEVICE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../common/serial_device.py")


def open_machine():
    line, port = os.openpty()
    tty.setraw(line)
    subprocess.Popen([sys.executable, DEVICE, str(line)], pass_fds=[line])
    os.close(line)
    return serial.Serial(os.ttyname(port))


def send_program(machine, steps):
    answers = []
    for number in range(steps):
        machine.write(b"G1 X%d Y%d F900\n" % (number, number))
        answers.append(machine.readline())
    return answers


def mill_part(steps):
    with open_machine() as machine:
        return send_program(machine, steps)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    mill_part(20_000_000)
