import os
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import grpc

from stock import Stock

signal.alarm(120)


class Warehouse(grpc.GenericRpcHandler):
    def service(self, details):
        return grpc.unary_unary_rpc_method_handler(self.count)

    def count(self, request, context):
        time.sleep(0.2)
        return b"12"


def print_report():
    server = grpc.server(ThreadPoolExecutor(2), handlers=(Warehouse(),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    stock = Stock(port)
    while True:
        stock.count("candles")


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print_report()
