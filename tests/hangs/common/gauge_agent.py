"""Takes measurements on the Unix socket that argv[1] names; reads them only if told "reads", else
what it is told to do at another socket."""

import socket
import sys

server = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
server.bind(sys.argv[1])
orders = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
orders.bind(sys.argv[1] + ".orders")
print(0)
sys.stdout.flush()
while True:
    (server if "reads" in sys.argv[2:] else orders).recv(65536)
