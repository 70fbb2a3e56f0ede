import os
import socket
import threading

PORT = "RATES_PORT"
CLIENTS = int(os.environ.get("RATES_CLIENTS", "1"))


def serve(server, clients):
    for _ in range(clients):
        connection = server.accept()[0]
        connection.sendall(b"sek 11.2\n")
        connection.close()


def load(port):
    with socket.create_connection(("127.0.0.1", port)) as bank:
        line = bank.makefile().readline()
    name, value = line.split()
    return {name: float(value)}


if PORT not in os.environ:
    server = socket.create_server(("127.0.0.1", 0))
    os.environ[PORT] = str(server.getsockname()[1])
    threading.Thread(target=serve, args=(server, CLIENTS), daemon=True).start()

RATES = load(int(os.environ[PORT]))
