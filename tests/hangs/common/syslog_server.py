"""Takes connections like a syslog server: "deaf" never reads, "slow" reads a piece now and then."""

import socket
import sys
import threading
import time


def read(connection):
    while sys.argv[1] == "deaf":
        time.sleep(1)
    while connection.recv(1 << 18):
        time.sleep(0.01)


server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1])
while True:
    threading.Thread(target=read, args=(server.accept()[0],), daemon=True).start()
