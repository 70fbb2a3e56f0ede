import os
import threading

import pyinotify

MASK = pyinotify.IN_CREATE | pyinotify.IN_CLOSE_WRITE


class Parcel:
    def __init__(self, path):
        self.path = path
        self.tied = threading.Event()


class Postroom(pyinotify.ProcessEvent):
    def my_init(self, hasty):
        self.hasty = hasty
        self.parcels = {}
        self.weights = []

    def weigh(self, parcel):
        self.weights.append(os.path.getsize(parcel.path))
        os.unlink(parcel.path)

    def process_IN_CREATE(self, event):
        parcel = self.parcels[event.pathname] = Parcel(event.pathname)
        if self.hasty:
            parcel.tied.wait()
            self.weigh(parcel)

    def process_IN_CLOSE_WRITE(self, event):
        parcel = self.parcels.pop(event.pathname)
        parcel.tied.set()
        if not self.hasty:
            self.weigh(parcel)


class Porter(pyinotify.ThreadedNotifier):
    def __init__(self, folder, hasty):
        manager = pyinotify.WatchManager()
        super().__init__(manager, Postroom(hasty=hasty))
        self.name = "porter"
        self.daemon = True
        manager.add_watch(folder, MASK)
