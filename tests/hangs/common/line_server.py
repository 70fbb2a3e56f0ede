"""Tells an event now and then, and answers every line."""

import socketserver
import threading
import time


class Handler(socketserver.StreamRequestHandler):
    def tell(self):
        while True:
            time.sleep(0.1)
            self.wfile.write(b"event bridge\n")

    def handle(self):
        threading.Thread(target=self.tell, daemon=True).start()
        for line in self.rfile:
            self.wfile.write(b"ok " + line)


server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
