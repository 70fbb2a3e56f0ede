import os
import socket
import threading
import time

import modbus_tk.defines as cst
from modbus_tk import hooks, modbus_tcp

JOURNAL_READS_BACK = True
VALVES = 4


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


class Plant:
    def __init__(self, port):
        self.server = modbus_tcp.TcpServer(port=port, address="127.0.0.1")
        self.valves = self.server.add_slave(1)
        self.valves.add_block("valves", cst.HOLDING_REGISTERS, 0, VALVES)
        self.journal = []
        hooks.install_hook("modbus_tcp.TcpServer.before_send", self.note_answer)

    def note_answer(self, arguments):
        response = arguments[2]
        time.sleep(0.02)
        if JOURNAL_READS_BACK:
            self.journal.append(self.valves.get_values("valves", 0, VALVES))
        else:
            self.journal.append(len(response))
        del self.journal[:-100]

    def open_valve(self, number, opening):
        self.valves.set_values("valves", number, opening)


class Panel:
    def __init__(self, port):
        self.master = modbus_tcp.TcpMaster("127.0.0.1", port, timeout_in_sec=60)
        self.shown = None

    def refresh(self):
        while True:
            self.shown = self.master.execute(1, cst.READ_HOLDING_REGISTERS, 0, VALVES)


def regulate(plant):
    step = 0
    while True:
        plant.open_valve(step % VALVES, step % 100)
        step += 1
        time.sleep(0.001)


def main():
    port = free_port()
    plant = Plant(port)
    plant.server.start()
    panel = Panel(port)
    threading.Thread(target=panel.refresh, name="panel", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    regulate(plant)


if __name__ == "__main__":
    main()
