import socketserver
import struct
import time


class Station(socketserver.StreamRequestHandler):
    def measure(self, name):
        time.sleep(0.05)
        return name + b": 4 degrees, fog"

    def handle(self):
        for line in self.rfile:
            report = self.measure(line.strip())
            self.wfile.write(struct.pack("<I", len(report)) + report)


with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Station) as server:
    print(server.server_address[1], flush=True)
    server.serve_forever()
