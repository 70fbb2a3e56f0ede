import logging
import socket
import threading
import time

from pyModbusTCP.client import ModbusClient
from pyModbusTCP.server import ModbusServer

from registers import PumpBank, Station

log = logging.getLogger("pumps")


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Historian:
    """Writes down what the station tells over the wire."""

    def __init__(self, station, port, careful):
        self.station = station
        self.careful = careful
        self.wire = ModbusClient("127.0.0.1", port, timeout=900.0)
        self.rows = []

    def take_row(self):
        return self.wire.read_holding_registers(0, 8)

    def snapshot(self):
        if self.careful:
            with self.station.valve:
                row = self.take_row()
                self.rows.append((time.time(), row))
        else:
            self.rows.append((time.time(), self.take_row()))

    def work(self):
        while True:
            self.snapshot()
            time.sleep(0.5)


class Regulator(threading.Thread):
    def __init__(self, station):
        super().__init__(name="regulator", daemon=True)
        self.station = station

    def run(self):
        while True:
            time.sleep(0.2)
            with self.station.valve:
                self.station.pressure[0] += 1


class Panel(threading.Thread):
    def __init__(self, port):
        super().__init__(name="panel", daemon=True)
        self.wire = ModbusClient("127.0.0.1", port, timeout=900.0)

    def run(self):
        while True:
            time.sleep(1)
            self.wire.read_coils(0, 4)


def run(careful):
    station, port = Station(), free_port()
    server = ModbusServer("127.0.0.1", port, no_block=True, data_bank=PumpBank(station))
    server.start()
    Regulator(station).start()
    Panel(port).start()
    Historian(station, port, careful).work()
