import os
import socketserver
import threading
import time

import irc.client

WAITS = True


class Inn(socketserver.StreamRequestHandler):
    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")

    def handle(self):
        for line in self.rfile:
            verb, _, rest = line.decode().strip().partition(" ")
            if verb == "USER":
                self.say(":inn 001 guest :Welcome")
            elif verb == "JOIN":
                self.say(":guest!guest@inn JOIN %s" % rest)
            elif verb == "PRIVMSG":
                self.say(":host!host@inn " + line.decode().strip())


def open_inn():
    inn = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Inn)
    inn.daemon_threads = True
    threading.Thread(target=inn.serve_forever, name="inn", daemon=True).start()
    return inn.server_address[1]


class Guest(irc.client.SimpleIRCClient):
    def __init__(self):
        super().__init__()
        self.seated = threading.Event()
        self.heard = 0

    def enter(self, connection, room):
        self.seated.clear()
        connection.join(room)
        if WAITS:
            self.seated.wait()
            self.greet(connection, room)

    def greet(self, connection, room):
        connection.privmsg(room, "good evening")

    def on_welcome(self, connection, event):
        self.enter(connection, "#parlour")

    def on_join(self, connection, event):
        self.seated.set()
        self.greet(connection, event.target)

    def on_pubmsg(self, connection, event):
        self.heard += 1
        time.sleep(0.1)
        self.greet(connection, event.target)


def main():
    guest = Guest()
    guest.connect("127.0.0.1", open_inn(), "guest")
    print("MARK main pid=%d" % os.getpid(), flush=True)
    guest.start()


if __name__ == "__main__":
    main()
