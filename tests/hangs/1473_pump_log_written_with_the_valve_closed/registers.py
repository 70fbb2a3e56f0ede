import threading

from pyModbusTCP.server import DataBank


class PumpBank(DataBank):
    """Registers of the pumps, computed when somebody asks."""

    def __init__(self, station):
        super().__init__(h_regs_size=64)
        self.station = station

    def get_holding_registers(self, address, number=1, srv_info=None):
        with self.station.valve:
            return [self.station.pressure[address + step] for step in range(number)]


class Station:
    def __init__(self):
        self.valve = threading.Lock()
        self.pressure = [100] * 64
