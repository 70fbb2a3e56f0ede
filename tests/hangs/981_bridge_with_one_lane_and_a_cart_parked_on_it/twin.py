import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import create_connection, create_server

import httpx

LANES = 2


class Site(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, *words):
        pass


class Bridge:
    def __init__(self, lanes):
        self.lanes = threading.Semaphore(lanes)

    def copy(self, source, target):
        while data := source.recv(4096):
            target.sendall(data)
        target.close()

    def carry(self, near):
        with self.lanes:
            near.recv(100)
            near.sendall(b"\x05\x00")
            request = near.recv(100)
            far = create_connection(("127.0.0.1", int.from_bytes(request[-2:], "big")))
            near.sendall(b"\x05\x00\x00\x01\x7f\x00\x00\x01\x00\x00")
            back = threading.Thread(target=self.copy, args=(far, near))
            back.start()
            self.copy(near, far)
            back.join()

    def run(self):
        with create_server(("127.0.0.1", 0)) as listener:
            print(listener.getsockname()[1], flush=True)
            while True:
                near, _ = listener.accept()
                threading.Thread(target=self.carry, args=(near,)).start()


def open_site():
    site = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    return "http://127.0.0.1:%d/" % site.server_port


class Traveller:
    def __init__(self, bridge):
        self.client = httpx.Client(proxy="socks5://127.0.0.1:%d" % bridge, timeout=5)

    def fetch(self, site):
        return self.client.get(site).text

    def tour(self, sites):
        return [self.fetch(site) for site in sites]


def travel():
    bridge = subprocess.Popen(
        [sys.executable, "-u", __file__, "bridge"], stdout=subprocess.PIPE, text=True
    )
    traveller = Traveller(int(bridge.stdout.readline()))
    sites = [open_site(), open_site()]
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        traveller.tour(sites)


if __name__ == "__main__":
    if sys.argv[1:2] == ["bridge"]:
        Bridge(LANES).run()
    else:
        travel()
