import os
import time

from distributed import Client, Event, LocalCluster


def read_sheet(day, number):
    Event("sheet-%d" % day).wait()
    return number


def print_sheet(day):
    time.sleep(0.05)
    Event("sheet-%d" % day).set()
    return day


class Newsroom:
    def __init__(self, client):
        self.client = client

    def issue(self, day):
        readers = []
        if not EARLY:
            readers.append(self.client.submit(print_sheet, day, priority=5))
        for number in range(READERS):
            readers.append(self.client.submit(read_sheet, day, number, pure=False))
        if EARLY:
            time.sleep(1)
            readers.append(self.client.submit(print_sheet, day))
        return self.client.gather(readers)


EARLY = False
READERS = 4


def main():
    cluster = LocalCluster(
        n_workers=2, threads_per_worker=2, processes=True, dashboard_address=None
    )
    client = Client(cluster)
    room = Newsroom(client)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    day = 0
    while True:
        room.issue(day)
        day += 1


if __name__ == "__main__":
    main()
