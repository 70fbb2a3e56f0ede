import http.client
import http.server
import os
import queue
import threading
import time


class Drawings:
    def __init__(self):
        self.wanted = queue.Queue()
        threading.Thread(target=self.draw, name="drawings", daemon=True).start()

    def draw(self):
        while True:
            width, made = self.wanted.get()
            made.append(1000 // width)

    def get(self, width):
        made = []
        self.wanted.put((width, made))
        while not made:
            time.sleep(0.05)
        return made[0]


class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        text = str(drawings.get(int(self.path[1:]))).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


def beat():
    beaten = 0
    while True:
        beaten += 1
        time.sleep(0.2)


def read(port, widths):
    while True:
        for width in widths:
            connection = http.client.HTTPConnection("127.0.0.1", port)
            connection.request("GET", "/%d" % width)
            connection.getresponse().read()
            time.sleep(0.2)


WIDTHS = (5, 4, 8)


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    if os.fork() == 0:
        read(server.server_port, WIDTHS)
    drawings = Drawings()
    threading.Thread(target=beat, name="beat", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    server.serve_forever()
