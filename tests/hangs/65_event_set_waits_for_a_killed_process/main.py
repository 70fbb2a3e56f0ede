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


def replace_camera(camera, gate):
    camera.kill()
    camera.join()
    return start_camera(gate)


def open_gate(gate):
    gate.set()


if __name__ == "__main__":
    multiprocessing.set_start_method("fork")
    gate = multiprocessing.Event()
    camera = start_camera(gate)
    time.sleep(0.5)
    camera = replace_camera(camera, gate)
    print("MARK main pid=%d" % os.getpid())
    time.sleep(0.5)
    open_gate(gate)
    camera.join()
