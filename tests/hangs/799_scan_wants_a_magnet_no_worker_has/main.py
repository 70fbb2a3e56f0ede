import os
import signal

from dask.distributed import Client, LocalCluster

signal.alarm(120)


def scan(patient):
    return patient * 2


class Clinic:
    def __init__(self, client):
        self.client = client

    def examine(self, patients):
        scans = [self.client.submit(scan, p, resources={"MAGNET": 1}) for p in patients]
        return self.client.gather(scans)


if __name__ == "__main__":
    with LocalCluster(1, threads_per_worker=2, processes=False, dashboard_address=None) as house:
        with Client(house) as client:
            print("MARK main pid=%d" % os.getpid(), flush=True)
            Clinic(client).examine([1, 2, 3])
