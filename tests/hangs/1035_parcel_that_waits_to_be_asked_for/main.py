import http.client
import http.server
import os
import time
from multiprocessing import Pipe, Process

SAYS_CONTINUE = False


class Counter(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_expect_100(self):
        if SAYS_CONTINUE:
            return super().handle_expect_100()
        return True

    def do_PUT(self):
        parcel = self.rfile.read(int(self.headers["Content-Length"]))
        receipt = b"%d" % len(parcel)
        self.send_response(201)
        self.send_header("Content-Length", str(len(receipt)))
        self.end_headers()
        self.wfile.write(receipt)

    def log_message(self, *args):
        pass


def post_office(line):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Counter) as server:
        line.send(server.server_address[1])
        server.serve_forever()


class Sender:
    def __init__(self, port):
        self.port = port
        self.receipts = []

    def announce(self, line, size):
        line.putrequest("PUT", "/parcels")
        line.putheader("Content-Length", str(size))
        line.putheader("Expect", "100-continue")
        line.endheaders()

    def may_go_on(self, line):
        with line.sock.makefile("rb", 0) as answer:
            status = answer.readline()
            while answer.readline().strip():
                pass
        return b" 100 " in status

    def send_parcel(self, parcel):
        line = http.client.HTTPConnection("127.0.0.1", self.port)
        self.announce(line, len(parcel))
        if self.may_go_on(line):
            line.send(parcel)
            self.receipts.append(line.getresponse().read())
        line.close()


def main():
    here, there = Pipe()
    Process(target=post_office, args=(there,), name="office", daemon=True).start()
    sender = Sender(here.recv())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        sender.send_parcel(b"x" * 5000)
        time.sleep(0.05)


if __name__ == "__main__":
    main()
