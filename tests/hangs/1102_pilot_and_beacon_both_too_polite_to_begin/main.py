import json
import os
import socketserver
import subprocess
import sys
import time

import gpsd

WELCOMES = False
VERSION = {"class": "VERSION", "release": "3.22", "proto_major": 3, "proto_minor": 14}
FIX = {
    "class": "POLL",
    "active": 1,
    "tpv": [
        {
            "class": "TPV",
            "mode": 3,
            "lat": 47.1,
            "lon": 8.5,
            "alt": 400.0,
            "speed": 0.1,
            "track": 0.0,
            "climb": 0.0,
            "time": "2024-01-01T00:00:00Z",
        }
    ],
    "sky": [{"satellites": []}],
}


class Beacon(socketserver.StreamRequestHandler):
    def say(self, words):
        self.wfile.write(json.dumps(words).encode() + b"\n")

    def converse(self):
        while line := self.rfile.readline():
            if line.startswith(b"?WATCH"):
                self.say({"class": "DEVICES", "devices": []})
                self.say({"class": "WATCH", "enable": True})
            else:
                self.say(FIX)

    def handle(self):
        if WELCOMES:
            self.say(VERSION)
        self.converse()


def run_beacon():
    with socketserver.TCPServer(("127.0.0.1", 0), Beacon) as server:
        print(server.server_address[1], flush=True)
        server.serve_forever()


class Pilot:
    def __init__(self, port):
        self.port = port
        self.track = []

    def find_beacon(self):
        gpsd.connect("127.0.0.1", self.port)

    def fly(self):
        self.find_beacon()
        while True:
            self.track.append(gpsd.get_current().position())
            del self.track[:-10]
            time.sleep(0.02)


if __name__ == "__main__":
    if sys.argv[1:] == ["beacon"]:
        run_beacon()
    else:
        beacon = subprocess.Popen(
            [sys.executable, "-u", __file__, "beacon"], stdout=subprocess.PIPE, text=True
        )
        pilot = Pilot(int(beacon.stdout.readline()))
        print("MARK main pid=%d" % os.getpid(), flush=True)
        pilot.fly()
