import os
import signal
import socket
import sys

import anyio
from anyio import to_thread

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Station:
    def __init__(self, port):
        self.port = port

    def read_wind(self):
        with socket.create_connection(("127.0.0.1", self.port)) as line:
            line.sendall(b"WIND?\n")
            return line.recv(200)


async def report_wind(station):
    with anyio.move_on_after(2):
        return await to_thread.run_sync(station.read_wind)
    return None


async def watch_weather(station):
    while True:
        await report_wind(station)
        await anyio.sleep(0.2)


if __name__ == "__main__":
    station = Station(start("weather_server", "silent"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    anyio.run(watch_weather, station)
