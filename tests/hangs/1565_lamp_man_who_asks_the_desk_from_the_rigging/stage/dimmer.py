from pythonosc.dispatcher import Dispatcher
from pythonosc.osc_server import BlockingOSCUDPServer
from pythonosc.udp_client import SimpleUDPClient


class Dimmer:
    def __init__(self):
        routes = Dispatcher()
        routes.map("/ask", self.on_ask)
        routes.map("/set", self.on_set)
        self.levels = {}
        self.server = BlockingOSCUDPServer(("127.0.0.1", 0), routes)
        self.port = self.server.server_address[1]

    def on_ask(self, address, lamp, port):
        answer = SimpleUDPClient("127.0.0.1", port)
        answer.send_message("/level", [lamp, self.levels.get(lamp, 0.0)])

    def on_set(self, address, lamp, level):
        self.levels[lamp] = level

    def serve(self):
        self.server.serve_forever()
