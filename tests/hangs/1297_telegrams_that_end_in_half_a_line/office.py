import socket
import sys
import time


def serve(listener, ending):
    connection, _ = listener.accept()
    reader = connection.makefile("rb")
    number = 0
    for _question in reader:
        number += 1
        time.sleep(0.05)
        connection.sendall(b"telegram %d" % number + ending)


if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    serve(listener, {"lf": b"\n", "crlf": b"\r\n"}[sys.argv[1]])
