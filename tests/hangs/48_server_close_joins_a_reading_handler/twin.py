import os
import signal
import socketserver
import subprocess
import sys
import threading
import time

signal.alarm(120)
CLIENT = """
import socket, time
line = socket.create_connection(("127.0.0.1", %d))
line.sendall(b"hello\\n")
line.recv(9)
time.sleep(%s)
"""
greeted = threading.Event()


class Echo(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            self.wfile.write(line)
            greeted.set()


class EchoServer(socketserver.ThreadingTCPServer):
    allow_reuse_address = True


def stop_server(server):
    server.shutdown()
    server.server_close()


def serve_for_a_while(stay):
    greeted.clear()
    server = EchoServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=server.serve_forever, args=(0.05,), name="server").start()
    client = subprocess.Popen([sys.executable, "-c", CLIENT % (server.server_address[1], stay)])
    greeted.wait()
    time.sleep(0.05)
    stop_server(server)
    return client


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        serve_for_a_while(stay=0.1).wait()
