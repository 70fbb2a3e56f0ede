import threading

from pynetdicom import AE, evt
from pynetdicom.sop_class import CTImageStorage


class Series:
    def __init__(self, number, size):
        self.number = number
        self.size = size
        self.images = []
        self.complete = threading.Event()

    def add(self, dataset):
        self.images.append(dataset)
        if len(self.images) == self.size:
            self.complete.set()


class Archive:
    def __init__(self, thorough):
        self.thorough = thorough
        self.lock = threading.Lock()
        self.series = {}
        self.entity = AE(ae_title="ARCHIVE")
        self.entity.add_supported_context(CTImageStorage)
        self.entity.dimse_timeout = None
        self.entity.network_timeout = None

    def find(self, uid, size):
        with self.lock:
            return self.series.setdefault(uid, Series(uid, size))

    def on_store(self, event):
        dataset = event.dataset
        series = self.find(dataset.SeriesInstanceUID, dataset.ImagesInAcquisition)
        series.add(dataset)
        if self.thorough:
            series.complete.wait()
        return 0x0000

    def open(self):
        server = self.entity.start_server(
            ("127.0.0.1", 0), block=False, evt_handlers=[(evt.EVT_C_STORE, self.on_store)]
        )
        return server.server_address[1]
