import ftplib
import queue
import threading
import time


class Carrier(threading.Thread):
    def __init__(self, port, parcels, shuts):
        super().__init__(name="carrier", daemon=True)
        self.port = port
        self.parcels = parcels
        self.shuts = shuts
        self.delivered = queue.Queue()

    def deliver(self, ftp, name, blocks):
        hatch = ftp.transfercmd("STOR %s" % name)
        for block in blocks:
            hatch.sendall(block)
        if self.shuts:
            hatch.close()
        return ftp.voidresp()

    def run(self):
        with ftplib.FTP() as ftp:
            ftp.connect("127.0.0.1", self.port)
            ftp.login()
            for number in range(self.parcels):
                self.delivered.put(self.deliver(ftp, "parcel%d" % number, [b"x" * 900] * 3))
                time.sleep(0.1)


class Scales(threading.Thread):
    def __init__(self, shelves):
        super().__init__(name="scales", daemon=True)
        self.shelves = shelves
        self.weight = 0

    def run(self):
        while True:
            self.weight = sum(list(self.shelves.values()))
            time.sleep(0.5)
