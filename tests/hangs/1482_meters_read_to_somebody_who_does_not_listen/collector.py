import socket
import sys
import time


def main(eager):
    door = socket.create_server(("127.0.0.1", 0))
    print(door.getsockname()[1], flush=True)
    wire, _ = door.accept()
    while True:
        if eager and not wire.recv(65536):
            return
        if not eager:
            time.sleep(1)


if __name__ == "__main__":
    main(sys.argv[1] == "eager")
