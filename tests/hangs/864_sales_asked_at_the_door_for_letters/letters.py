import json
import socketserver
import struct


class Desk(socketserver.StreamRequestHandler):
    def handle(self):
        while head := self.rfile.read(4):
            (size,) = struct.unpack(">I", head)
            letter = json.loads(self.rfile.read(size))
            answer = json.dumps({"filed": letter["number"]}).encode()
            self.wfile.write(struct.pack(">I", len(answer)) + answer)


class Office(socketserver.ThreadingTCPServer):
    daemon_threads = True


office = Office(("127.0.0.1", 0), Desk)
print(office.server_address[1], flush=True)
office.serve_forever()
