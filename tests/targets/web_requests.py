"""web_requests.py NAME [healthy]: a server whose requests hang; another process asks it.

lent: the second one waits for what the first one has taken from a queue, and keeps while it sleeps.
child: one reads what a child is to say, which waits to be told something by the same thread.
"""

import queue
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, HTTPServer
from socketserver import ThreadingMixIn

from ready import ready

NAME, HEALTHY = sys.argv[1], sys.argv[2:] == ["healthy"]
PAUSE_S = 0.01 if HEALTHY else 3600
ASKS = """
import socket, sys
for _ in range(2):
    asked = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    asked.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n")
    kept = [asked, globals().get("kept")]
asked.recv(1)
sys.stdin.read()
"""
carts = queue.Queue()
carts.put("cart")
begun = threading.Semaphore(0)


def lent():
    begun.release()
    cart = carts.get()
    time.sleep(PAUSE_S)
    carts.put(cart)


def child():
    begun.release()
    reader = subprocess.Popen(["cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    if HEALTHY:
        reader.stdin.close()
    reader.stdout.read()


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        globals()[NAME]()
        self.send_response(200)
        self.end_headers()


class Server(ThreadingMixIn, HTTPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
asking = subprocess.Popen(
    [sys.executable, "-c", ASKS, str(server.server_address[1])], stdin=subprocess.PIPE
)


def tell():
    for _ in range(2):
        begun.acquire()
    ready()


threading.Thread(target=tell, daemon=True).start()
server.serve_forever()
