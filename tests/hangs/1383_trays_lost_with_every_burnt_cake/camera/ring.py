import multiprocessing
from multiprocessing import shared_memory

ctx = multiprocessing.get_context("spawn")
FRAME = 1024


class FrameRing:
    def __init__(self, slots):
        self.slots = slots
        self.memory = shared_memory.SharedMemory(create=True, size=slots * FRAME)
        self.empty = ctx.Semaphore(slots)
        self.filled = ctx.Semaphore(0)
        self.written = 0
        self.read = 0

    def write(self, frame):
        self.empty.acquire()
        start = self.written % self.slots * FRAME
        self.memory.buf[start : start + len(frame)] = frame
        self.written += 1
        self.filled.release()

    def process(self, handle):
        self.filled.acquire()
        start = self.read % self.slots * FRAME
        self.read += 1
        handle(bytes(self.memory.buf[start : start + FRAME]))
        self.empty.release()
