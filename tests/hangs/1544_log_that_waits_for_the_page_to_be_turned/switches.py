import socketserver
import sys
import threading

LOG = ["port %d went up" % number for number in range(40)]


class Session(socketserver.StreamRequestHandler):
    """A switch as one sees it through its console."""

    def say(self, text):
        self.wfile.write(text.replace("\n", "\r\n").encode())

    def page(self, lines):
        height = self.server.height
        for first in range(0, len(lines), height):
            self.say("\n".join(lines[first : first + height]) + "\n")
            if first + height < len(lines):
                self.say(" --More-- ")
                if self.rfile.read(1) != b" ":
                    return

    def handle(self):
        self.say("welcome\n%s# " % self.server.name)
        while True:
            line = bytearray()
            while not line.endswith(b"\n"):
                key = self.rfile.read(1)
                if not key:
                    return
                line += key
                if key != b"\n":
                    self.wfile.write(key)
            command = line.decode().strip()
            self.say("\n")
            if command == "show log":
                self.page(LOG[: self.server.lines])
            elif command:
                self.say("%s: fine\n" % command)
            self.say("%s# " % self.server.name)


class Switch(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self, name, lines):
        super().__init__(("127.0.0.1", 0), Session)
        self.name, self.lines, self.height = name, lines, 24
        threading.Thread(target=self.serve_forever, daemon=True).start()


if __name__ == "__main__":
    for word in sys.argv[1:]:
        name, lines = word.split("=")
        print(name, Switch(name, int(lines)).server_address[1], flush=True)
    threading.Event().wait()
