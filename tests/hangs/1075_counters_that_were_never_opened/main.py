import os
import threading

import jsonrpclib
from jsonrpclib.SimpleJSONRPCServer import PooledJSONRPCServer
from jsonrpclib.threadpool import ThreadPool

OPEN = False


class Tariff:
    def __init__(self):
        self.rates = {"letter": 1.1, "parcel": 5.4}

    def rate(self, kind):
        return self.rates[kind]


class Post:
    def __init__(self):
        self.pool = ThreadPool(max_threads=4, min_threads=1, logname="counters")
        if OPEN:
            self.pool.start()
        self.server = PooledJSONRPCServer(
            ("127.0.0.1", 0), thread_pool=self.pool, logRequests=False
        )
        self.server.register_instance(Tariff())
        self.door = threading.Thread(target=self.server.serve_forever, name="door", daemon=True)

    def start(self):
        self.door.start()
        return self.server.server_address[1]


class Customer:
    def __init__(self, port):
        self.post = jsonrpclib.ServerProxy("http://127.0.0.1:%d" % port)

    def ask(self, kind):
        return self.post.rate(kind)


def send(customer, kinds):
    return sum(customer.ask(kind) for kind in kinds)


def main():
    customer = Customer(Post().start())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        send(customer, ["letter", "parcel"])


if __name__ == "__main__":
    main()
