import os
import socket
import subprocess
import sys

import zmq
from tinyrpc import RPCClient
from tinyrpc.dispatch import RPCDispatcher
from tinyrpc.protocols.jsonrpc import JSONRPCProtocol
from tinyrpc.server import RPCServer
from tinyrpc.transports.zmq import ZmqClientTransport, ZmqServerTransport

LOAD = 1


class Scale:
    def __init__(self, address):
        self.dispatcher = RPCDispatcher()
        self.dispatcher.add_method(self.weigh, "weigh")
        transport = ZmqServerTransport.create(zmq.Context(), address)
        self.server = RPCServer(transport, JSONRPCProtocol(), self.dispatcher)

    def weigh(self, parcel):
        return len(parcel) * 120

    def run(self, parcels):
        served = 0
        while parcels is None or served < parcels:
            self.server.receive_one_message()
            served += 1


class Counter:
    def __init__(self, address):
        transport = ZmqClientTransport.create(zmq.Context(), address)
        self.scale = RPCClient(JSONRPCProtocol(), transport).get_proxy()
        self.weights = []

    def weigh(self, parcel):
        self.weights.append(self.scale.weigh(parcel))

    def serve(self, parcels):
        for parcel in parcels:
            self.weigh(parcel)
        self.weights.clear()


def free_address():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return "tcp://127.0.0.1:%d" % listener.getsockname()[1]


def open_counter():
    address = free_address()
    subprocess.Popen([sys.executable, "-u", __file__, "scale", address])
    counter = Counter(address)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        counter.serve(["books", "wine", "a lamp", "letters"])


if __name__ == "__main__":
    if sys.argv[1:2] == ["scale"]:
        Scale(sys.argv[2]).run(LOAD)
    else:
        open_counter()
