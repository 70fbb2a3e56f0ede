import os
import threading
import time

from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.uid import ImplicitVRLittleEndian, generate_uid
from pynetdicom import AE
from pynetdicom.sop_class import CTImageStorage

from clinic.archive import Archive


class Scanner:
    def __init__(self, port, size):
        entity = AE(ae_title="SCANNER")
        entity.add_requested_context(CTImageStorage)
        entity.dimse_timeout = None
        entity.network_timeout = None
        self.association = entity.associate("127.0.0.1", port, ae_title="ARCHIVE")
        self.size = size
        self.sent = 0

    def image(self, series, number):
        dataset = Dataset()
        dataset.file_meta = FileMetaDataset()
        dataset.file_meta.TransferSyntaxUID = ImplicitVRLittleEndian
        dataset.SOPClassUID = CTImageStorage
        dataset.SOPInstanceUID = generate_uid()
        dataset.SeriesInstanceUID = series
        dataset.ImagesInAcquisition = self.size
        dataset.InstanceNumber = number
        return dataset

    def scan(self):
        series = generate_uid()
        for number in range(self.size):
            status = self.association.send_c_store(self.image(series, number))
            self.sent += status.Status == 0


class Table(threading.Thread):
    def __init__(self):
        super().__init__(name="table", daemon=True)
        self.position = 0

    def run(self):
        while True:
            self.position = (self.position + 5) % 200
            time.sleep(0.4)


def shift(thorough):
    archive = Archive(thorough)
    scanner = Scanner(archive.open(), 4)
    Table().start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        scanner.scan()
        time.sleep(0.2)
