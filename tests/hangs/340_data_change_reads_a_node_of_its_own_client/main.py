import os
import signal
import socket
import time

from asyncua.sync import Client, Server, ThreadLoop

signal.alarm(120)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


class Boiler:
    def __init__(self, limit):
        self.limit = limit
        self.alarms = 0

    def datachange_notification(self, node, value, data):
        if value > self.limit.read_value():
            self.alarms += 1


def start_server(address):
    server = Server()
    server.set_endpoint(address)
    boiler = server.nodes.objects.add_object(2, "boiler")
    heat, limit = boiler.add_variable(2, "heat", 20.0), boiler.add_variable(2, "limit", 90.0)
    server.start()
    return heat, limit


def watch_boiler(address, heat, limit):
    client = Client(address, tloop=loop)
    client.connect()
    watcher = Boiler(client.get_node(limit.nodeid))
    client.create_subscription(50, watcher).subscribe_data_change(client.get_node(heat.nodeid))
    while not watcher.alarms:
        time.sleep(0.5)


if __name__ == "__main__":
    loop = ThreadLoop(timeout=None)
    loop.start()
    address = f"opc.tcp://127.0.0.1:{free_port()}"
    heat, limit = start_server(address)
    print("MARK main pid=%d" % os.getpid())
    watch_boiler(address, heat, limit)
