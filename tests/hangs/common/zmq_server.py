"""A ZeroMQ server: "forgets" takes a request, closes and listens anew; "slow" answers late."""

import sys
import time

import zmq

context = zmq.Context()
server = context.socket(zmq.REP)
port = server.bind_to_random_port("tcp://127.0.0.1")
print(port)
while True:
    server.recv()
    if sys.argv[1] == "forgets":
        server.close(linger=0)
        time.sleep(0.3)
        server = context.socket(zmq.REP)
        server.bind(f"tcp://127.0.0.1:{port}")
    else:
        time.sleep(0.1)
        server.send(b"12.50")
