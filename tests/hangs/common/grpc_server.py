"""A gRPC server whose only call counts: "slow" answers after a moment, "silent" never."""

import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import grpc


def count(name, context):
    if sys.argv[1] == "silent":
        threading.Event().wait()
    time.sleep(0.4)
    return b"7"


class Handler(grpc.GenericRpcHandler):
    def service(self, details):
        return grpc.unary_unary_rpc_method_handler(count)


server = grpc.server(ThreadPoolExecutor(4), handlers=[Handler()])
print(server.add_insecure_port("127.0.0.1:0"))
server.start()
server.wait_for_termination()
