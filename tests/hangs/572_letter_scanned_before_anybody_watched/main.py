import os
import shutil
import signal
import tempfile
import threading
import time

from inotify_simple import INotify, flags

signal.alarm(120)


class Tray:
    def __init__(self, folder):
        self.folder = folder
        os.makedirs(folder, exist_ok=True)

    def scan(self, pages):
        for page in range(pages):
            with open(os.path.join(self.folder, "%d.page" % page), "wb") as scanned:
                scanned.write(b"#" * 1000)
            time.sleep(0.02)
        open(os.path.join(self.folder, "done"), "w").close()

    def wait_for_scan(self):
        with INotify() as watcher:
            watcher.add_watch(self.folder, flags.CLOSE_WRITE)
            while True:
                for event in watcher.read():
                    if event.name == "done":
                        return sorted(os.listdir(self.folder))


def sort_letters(tray):
    scanner = threading.Thread(target=tray.scan, args=(5,), name="scanner")
    scanner.start()
    label = "letters of %s" % time.ctime()
    time.sleep(0.5)
    pages = tray.wait_for_scan()
    scanner.join()
    return label, pages


if __name__ == "__main__":
    folder = tempfile.mkdtemp()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    try:
        sort_letters(Tray(os.path.join(folder, "today")))
    finally:
        shutil.rmtree(folder)
