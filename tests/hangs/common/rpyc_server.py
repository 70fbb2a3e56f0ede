"""A server of rpyc whose method calls its caller back before it answers."""

import time

import rpyc
from rpyc.utils.server import ThreadedServer


class Prices(rpyc.Service):
    def exposed_update(self, callback):
        time.sleep(0.05)
        callback("tea", 3)


class Server(ThreadedServer):
    def _listen(self):
        super()._listen()
        print(self.port)


Server(Prices, hostname="127.0.0.1", port=0).start()
