"""A mailbox over IMAP; "busy" tells of a new message five times a second, "quiet" of none."""

import socketserver
import sys
import time


class Handler(socketserver.StreamRequestHandler):
    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")

    def idle(self):
        self.say("+ idling")
        number = 17
        while sys.argv[1] == "busy" and number < 20:
            time.sleep(0.2)
            number += 1
            self.say(f"* {number} EXISTS")

    def handle(self):
        self.say("* OK [CAPABILITY IMAP4rev1 IDLE] ready")
        tag = ""
        for line in self.rfile:
            words = line.decode().split()
            if words == ["DONE"]:
                self.say(f"{tag} OK done")
                continue
            tag, verb = words[0], words[1].upper()
            if verb == "IDLE":
                self.idle()
                continue
            if verb == "CAPABILITY":
                self.say("* CAPABILITY IMAP4rev1 IDLE")
            elif verb == "SELECT":
                self.say("* 17 EXISTS")
            elif verb == "LOGOUT":
                self.say("* BYE")
            self.say(f"{tag} OK {verb} completed")


server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
