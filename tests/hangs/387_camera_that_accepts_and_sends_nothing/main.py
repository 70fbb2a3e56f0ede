import os
import signal
import sys
import threading

import av

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def open_camera(port):
    return av.open("tcp://127.0.0.1:%d" % port, format="mpegts")


def record_gate(port, pictures):
    with open_camera(port) as camera:
        for packet in camera.demux():
            pictures.append(packet.size)


if __name__ == "__main__":
    port = start("silent_server")
    gate = threading.Thread(target=record_gate, args=(port, []), name="gate")
    gate.start()
    print("MARK main pid=%d" % os.getpid())
    gate.join()
