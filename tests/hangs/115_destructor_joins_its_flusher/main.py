import os
import signal
import threading
import time

signal.alarm(120)
buffers = {}
buffers_lock = threading.Lock()
written = {}


class Buffer:
    def __init__(self, name):
        self.lines = []
        self.closed = threading.Event()
        arguments = (name, self.lines, self.closed)
        self.flusher = threading.Thread(target=flush_lines, args=arguments, name="flush-" + name)
        self.flusher.start()

    def __del__(self):
        self.closed.set()
        self.flusher.join()


def flush_lines(name, lines, closed):
    while not closed.wait(0.5):
        lines.clear()
    with buffers_lock:
        written[name] = written.get(name, 0) + len(lines)


def open_buffer(name):
    with buffers_lock:
        buffers[name] = Buffer(name)


def write_log(names):
    for name in names:
        open_buffer(name)
        buffers[name].lines.append("start")
        time.sleep(0.2)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    write_log(["shop", "stock", "shop"])
