import http.server
import os
import signal
import ssl
import subprocess
import sys

signal.alarm(120)
PROBE = "import socket, time; s = socket.create_connection(('127.0.0.1', %d)); time.sleep(300)"


def serve_files(wrap_listener=True):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    if wrap_listener:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    subprocess.Popen([sys.executable, "-c", PROBE % server.server_port])
    print("MARK main pid=%d" % os.getpid())
    server.serve_forever()


if __name__ == "__main__":
    serve_files(wrap_listener=False)
