"""A STOMP broker: "silent" takes a connection and says nothing, "slow" answers after a while."""

import re
import socketserver
import sys
import time


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        head = b""
        while byte := self.rfile.read(1):
            head += byte
            if byte != b"\0":
                continue
            if head.lstrip().startswith((b"CONNECT", b"STOMP")) and sys.argv[1] == "slow":
                time.sleep(0.3)
                self.wfile.write(b"CONNECTED\nversion:1.1\nheart-beat:0,0\n\n\0")
            if head.lstrip().startswith(b"DISCONNECT"):
                receipt = re.search(rb"receipt:(.*)", head)
                self.wfile.write(b"RECEIPT\nreceipt-id:%s\n\n\0" % receipt[1])
                return
            head = b""


server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
