import os
import signal
import threading
import time

signal.alarm(120)


class Upload:
    def __init__(self, parts):
        self.parts = parts
        self.received = 0
        self.changed = threading.Condition()

    def receive(self, count):
        with self.changed:
            self.received += count
            self.changed.notify_all()

    def wait_complete(self):
        with self.changed:
            self.changed.wait_for(lambda: self.received >= self.parts)


def send_parts(upload):
    for count in (2, 2, 2):
        time.sleep(0.05)
        upload.receive(count)


def store_file(upload):
    sender = threading.Thread(target=send_parts, args=(upload,), name="sender")
    sender.start()
    upload.wait_complete()
    sender.join()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        store_file(Upload(5))
