"""Takes connections and never says a word; with "slow" and a time it hangs up after that."""

import socket
import sys
import threading
import time

kept = []


def keep(connection):
    if sys.argv[1:]:
        time.sleep(float(sys.argv[2]))
        connection.close()
        return
    kept.append(connection)
    while connection.recv(4096):
        pass


server = socket.create_server(("127.0.0.1", 0))
print(server.getsockname()[1])
while True:
    threading.Thread(target=keep, args=(server.accept()[0],), daemon=True).start()
