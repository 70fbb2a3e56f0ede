import os
import signal
import tempfile
import threading

from watchdog.events import FileSystemEventHandler
from watchdog.observers import Observer

signal.alarm(120)


class Settings(FileSystemEventHandler):
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="hang_")
        self.changed = threading.Event()
        self.reloaded = threading.Event()
        self.observer = Observer()
        self.observer.schedule(self, self.folder)
        self.observer.start()

    def on_modified(self, event):
        self.changed.set()
        self.reloaded.wait()

    def write_settings(self):
        with open(os.path.join(self.folder, "shop.ini"), "w") as file:
            file.write("debug = no")

    def reload_settings(self):
        self.changed.wait()
        self.changed.clear()
        self.observer.unschedule_all()
        self.observer.schedule(self, self.folder)
        self.reloaded.set()


if __name__ == "__main__":
    settings = Settings()
    print("MARK main pid=%d" % os.getpid())
    settings.write_settings()
    settings.reload_settings()
