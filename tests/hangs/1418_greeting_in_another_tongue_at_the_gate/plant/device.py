import socketserver
import sys


class Console(socketserver.StreamRequestHandler):
    def handle(self):
        self.wfile.write(self.server.prompt)
        for line in self.rfile:
            if line.strip() == b"show level":
                self.wfile.write(b"level 71\r\n")
            self.wfile.write(self.server.prompt)


class Device(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


if __name__ == "__main__":
    with Device(("127.0.0.1", 0), Console) as device:
        device.prompt = sys.argv[1].encode()
        print(device.server_address[1], flush=True)
        device.serve_forever()
