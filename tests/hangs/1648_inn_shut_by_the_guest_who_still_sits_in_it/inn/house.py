import socketserver
import threading


class Host(socketserver.StreamRequestHandler):
    def handle(self):
        for dish in self.rfile:
            self.wfile.write(b"here is " + dish)


class Inn:
    def __init__(self):
        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Host)
        self.address = self.server.server_address
        self.porter = threading.Thread(
            target=self.server.serve_forever, args=(0.05,), name="porter", daemon=True
        )
        self.porter.start()

    def shut(self):
        self.server.shutdown()
        self.porter.join()
        self.server.server_close()
