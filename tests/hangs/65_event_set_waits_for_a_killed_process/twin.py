import multiprocessing
import os
import signal
import time

signal.alarm(120)


def take_photos(gate, ready):
    ready.set()
    gate.wait()


def start_camera(gate):
    ready = multiprocessing.Event()
    camera = multiprocessing.Process(target=take_photos, args=(gate, ready), name="camera")
    camera.start()
    ready.wait()
    return camera


def open_gate(gate):
    gate.set()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    print("MARK main pid=%d" % os.getpid())
    while True:
        gate = multiprocessing.Event()
        camera = start_camera(gate)
        time.sleep(0.1)
        open_gate(gate)
        camera.join()
