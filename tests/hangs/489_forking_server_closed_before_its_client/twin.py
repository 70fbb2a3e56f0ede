import os
import signal
import socket
import socketserver
import threading

signal.alarm(120)


class TimeOfDay(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            if line == b"bye\n":
                break
            self.wfile.write(b"noon in " + line)


class Clock:
    def __init__(self):
        self.server = socketserver.ForkingTCPServer(("127.0.0.1", 0), TimeOfDay)
        self.thread = threading.Thread(target=self.server.serve_forever, name="clock")
        self.thread.start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


def check_clock():
    clock = Clock()
    client = socket.create_connection(clock.server.server_address)
    client.sendall(b"Rome\n")
    client.recv(100)
    client.sendall(b"bye\n")
    clock.stop()
    client.close()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        check_clock()
