import os
import signal
import socket

import pandas
from weather import Station

signal.alarm(120)


def read_day(address):
    with socket.create_connection(address) as line, line.makefile("r") as rows:
        return pandas.read_csv(rows, index_col="hour")


def warmest_hour(address):
    return read_day(address)["degrees"].idxmax()


if __name__ == "__main__":
    station = Station(hang_up=False)
    station.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(warmest_hour(station.door.getsockname()))
