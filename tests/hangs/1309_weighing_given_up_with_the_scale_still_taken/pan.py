import socket
import sys


def serve(listener, unknown):
    connection, _ = listener.accept()
    for line in connection.makefile("r"):
        if line.strip() != unknown:
            connection.sendall(b"%d\n" % (100 * len(line)))


if __name__ == "__main__":
    listener = socket.create_server(("127.0.0.1", 0))
    print(listener.getsockname()[1], flush=True)
    serve(listener, sys.argv[1])
