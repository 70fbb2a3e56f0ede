import http.server
import multiprocessing
import os
import threading
import time

import urllib3


class Station(http.server.BaseHTTPRequestHandler):
    def broadcast(self, items):
        for item in items:
            self.wfile.write(item)
            self.wfile.flush()
            time.sleep(0.05)

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.broadcast([b"news\n"] * 3)
        time.sleep(PAUSE)

    def log_message(self, *_):
        pass


def run_station(server):
    server.serve_forever()


class Radio:
    def __init__(self, url):
        self.pool = urllib3.PoolManager()
        self.url = url
        self.heard = []

    def start(self):
        self.response = self.pool.request("GET", self.url, preload_content=False)
        self.listener = threading.Thread(target=self.listen, name="listener", daemon=True)
        self.listener.start()

    def listen(self):
        try:
            for item in self.response.stream(5):
                self.heard.append(item)
        except (OSError, ValueError, AttributeError, urllib3.exceptions.HTTPError):
            return

    def stop(self):
        self.response.close()
        self.listener.join()


def spend_evenings(radio):
    while True:
        radio.start()
        time.sleep(0.5)
        radio.stop()


PAUSE = 3600


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Station)
    multiprocessing.get_context("fork").Process(
        target=run_station, args=(server,), name="station", daemon=True
    ).start()
    server.socket.close()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    spend_evenings(Radio("http://127.0.0.1:%d/" % server.server_address[1]))
