import logging
import socket
import threading

from opcua import Client, Server

logging.getLogger("opcua").setLevel(logging.CRITICAL)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as door:
        return door.getsockname()[1]


class Plant:
    def __init__(self):
        self.url = f"opc.tcp://127.0.0.1:{free_port()}/plant"
        self.server = Server()
        self.server.set_endpoint(self.url)
        space = self.server.register_namespace("plant")
        boiler = self.server.nodes.objects.add_object(space, "Boiler")
        self.heat = boiler.add_variable(space, "Heat", 20.0)
        self.pressure = boiler.add_variable(space, "Pressure", 1.0)
        self.server.start()


class Panel:
    def __init__(self, plant):
        self.client = Client(plant.url, timeout=None)
        self.client.connect()
        self.heat = self.client.get_node(plant.heat.nodeid)
        self.pressure = self.client.get_node(plant.pressure.nodeid)
        self.shown = []
        self.news = threading.Event()

    def watch(self):
        subscription = self.client.create_subscription(100, self)
        subscription.subscribe_data_change(self.heat)

    def read_pressure(self):
        return self.pressure.get_value()
