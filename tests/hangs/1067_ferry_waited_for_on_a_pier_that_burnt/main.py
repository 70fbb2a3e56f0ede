import http.server
import json
import os
import threading

import portend

FARES = {"adult": 4, "child": 2}
BIND = "192.0.2.17"


class Desk(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        body = json.dumps(FARES).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *line):
        pass


class Office:
    def __init__(self, port):
        self.port = port
        self.thread = threading.Thread(target=self.serve, name="office", daemon=True)

    def serve(self):
        server = http.server.ThreadingHTTPServer((BIND, self.port), Desk)
        server.serve_forever()

    def open(self):
        self.thread.start()
        self.wait_until_open()

    def wait_until_open(self):
        portend.occupied("127.0.0.1", self.port)


def sell(office, tickets):
    office.open()
    return sum(FARES[kind] for kind in tickets)


def main():
    office = Office(portend.find_available_local_port())
    print("MARK main pid=%d" % os.getpid(), flush=True)
    sell(office, ["adult", "child"])
    office.thread.join()


if __name__ == "__main__":
    main()
