import os
import socketserver
import subprocess
import sys
import time

from mpd import MPDClient

LASTS_S = 0


class Jukebox(socketserver.StreamRequestHandler):
    def play(self):
        self.over_at = time.monotonic() + LASTS_S
        self.wfile.write(b"OK\n")

    def listen(self):
        left = self.over_at - time.monotonic()
        if left > 0:
            time.sleep(left)
            self.wfile.write(b"changed: player\nOK\n")

    def serve(self):
        while command := self.rfile.readline().split():
            if command[0] == b"play":
                self.play()
            elif command[0] == b"idle":
                self.listen()
            else:
                self.wfile.write(b"OK\n")

    def handle(self):
        self.wfile.write(b"OK MPD 0.23.0\n")
        self.serve()


def run_jukebox():
    with socketserver.TCPServer(("127.0.0.1", 0), Jukebox) as server:
        print(server.server_address[1], flush=True)
        server.serve_forever()


class Party:
    def __init__(self, port):
        self.client = MPDClient()
        self.client.connect("127.0.0.1", port)
        self.songs = 0

    def dance(self):
        self.client.play(self.songs)
        self.client.idle("player")
        self.songs += 1

    def last_all_night(self):
        while True:
            self.dance()


if __name__ == "__main__":
    if sys.argv[1:] == ["jukebox"]:
        run_jukebox()
    else:
        jukebox = subprocess.Popen(
            [sys.executable, "-u", __file__, "jukebox"], stdout=subprocess.PIPE, text=True
        )
        party = Party(int(jukebox.stdout.readline()))
        print("MARK main pid=%d" % os.getpid(), flush=True)
        party.last_all_night()
