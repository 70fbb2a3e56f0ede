import ctypes
import os
import threading
import time

LIBC = ctypes.CDLL(None, use_errno=True)
WORKS = True
CREATE, READ_WRITE = os.O_CREAT, os.O_RDWR


class Sizes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_long) for name in ("flags", "messages", "size", "waiting")]
    _fields_.append(("reserved", ctypes.c_long * 4))


class Press:
    def __init__(self):
        self.name = b"/press%d" % os.getpid()
        sizes = Sizes(0, 4, 64, 0)
        self.queue = LIBC.mq_open(self.name, CREATE | READ_WRITE, 0o600, ctypes.byref(sizes))
        LIBC.mq_unlink(self.name)

    def stamp(self, text):
        if WORKS:
            LIBC.mq_send(self.queue, b"sealed", ctypes.c_size_t(6), 0)

    def seal(self):
        buffer = ctypes.create_string_buffer(64)
        LIBC.mq_receive(self.queue, buffer, ctypes.c_size_t(64), None)
        return buffer.value


class Office:
    def __init__(self):
        self.press = Press()
        self.sealed = []

    def seal_deed(self, deed):
        self.press.stamp(deed)
        self.sealed.append((deed, self.press.seal()))

    def serve(self, deed):
        clerk = threading.Thread(target=self.seal_deed, args=(deed,), name="clerk")
        clerk.start()
        clerk.join(timeout=1)


def main():
    office = Office()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for deed in ["house", "garden"] * (1500 if WORKS else 1):
        office.serve(deed)
        time.sleep(0.03)


if __name__ == "__main__":
    main()
