"""Takes connections of a log shipper; reads what comes only if told "reads"."""

import socket
import sys
import threading

kept = []


def keep(connection):
    kept.append(connection)
    while "reads" in sys.argv[1:] and connection.recv(65536):
        pass


server = socket.socket()
server.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
server.bind(("127.0.0.1", 0))
server.listen()
print(server.getsockname()[1])
while True:
    threading.Thread(target=keep, args=(server.accept()[0],), daemon=True).start()
