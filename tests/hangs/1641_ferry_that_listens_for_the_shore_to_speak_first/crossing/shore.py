import os
import socket
import threading
import time


def talk(line):
    while line.recv(64):
        time.sleep(0.05)
        line.sendall(b"come\n")
    os._exit(0)


def serve():
    listener = socket.create_server(("127.0.0.1", 0))
    if os.fork() == 0:
        while True:
            line, _ = listener.accept()
            threading.Thread(target=talk, args=(line,)).start()
    port = listener.getsockname()[1]
    listener.close()
    return port
