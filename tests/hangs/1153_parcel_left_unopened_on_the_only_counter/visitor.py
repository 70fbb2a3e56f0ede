import socket
import sys
import time


def send_parcel(line, size):
    head = b"POST /parcels HTTP/1.1\r\nHost: office\r\nContent-Length: %d\r\n\r\n" % size
    line.sendall(head + b"f" * size)
    return line.recv(65536)


def visit(port):
    first = socket.create_connection(("127.0.0.1", port))
    send_parcel(first, 20000)
    while True:
        time.sleep(0.2)
        second = socket.create_connection(("127.0.0.1", port))
        send_parcel(second, 10)
        second.close()


time.sleep(0.5)
visit(int(sys.argv[1]))
