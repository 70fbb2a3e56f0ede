import socket
import sys
import time


def look(host, port, stays):
    """Is the gate open? Whoever stays sees at once when it is shut."""
    with socket.create_connection((host, port)) as line:
        while stays and line.recv(100):
            pass


if __name__ == "__main__":
    while True:
        time.sleep(1)
        look(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
