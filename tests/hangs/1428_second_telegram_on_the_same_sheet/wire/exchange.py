import socket
import sys
import time


def serve(connection, batch):
    lines = connection.makefile("r")
    number = 0
    while True:
        quotes = ["quote tin %d\n" % (300 + number + one) for one in range(batch)]
        number += batch
        connection.sendall("".join(quotes).encode())
        for _ in quotes:
            if not lines.readline():
                return
        time.sleep(0.1)


if __name__ == "__main__":
    serve(socket.create_connection(("127.0.0.1", int(sys.argv[1]))), int(sys.argv[2]))
