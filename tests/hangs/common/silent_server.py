"""Takes connections, says what it is told to say once, and then nothing more."""

import socket
import sys
import threading

greeting = sys.argv[1].encode().decode("unicode_escape").encode() if sys.argv[1:] else b""
kept = []


def keep(connection):
    connection.sendall(greeting)
    while connection.recv(4096):
        pass


server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1])
while True:
    connection, _ = server.accept()
    kept.append(connection)
    threading.Thread(target=keep, args=(connection,), daemon=True).start()
