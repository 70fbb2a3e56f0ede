"""Enough of FTP for one download; "silent" opens the data connection and sends nothing."""

import socket
import socketserver
import sys
import time


class Handler(socketserver.StreamRequestHandler):
    def say(self, text):
        self.wfile.write(text.encode() + b"\r\n")

    def handle(self):
        self.say("220 ready")
        data = None
        for line in self.rfile:
            verb = line.split()[0].upper()
            if verb in (b"EPSV", b"PASV"):
                data = socket.create_server(("127.0.0.1", 0))
                port = data.getsockname()[1]
                where = f"127,0,0,1,{port // 256},{port % 256}"
                self.say(f"227 ({where})" if verb == b"PASV" else f"229 (|||{port}|)")
            elif verb == b"RETR":
                self.say("150 here it comes")
                connection, _ = data.accept()
                while sys.argv[1] == "silent":
                    time.sleep(60)
                for _ in range(5):
                    time.sleep(0.05)
                    connection.sendall(b"1;2;3\n")
                connection.close()
                self.say("226 done")
            else:
                self.say("230 welcome")


server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
