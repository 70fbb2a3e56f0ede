"""Answers a watch of pods like a Kubernetes: "events" tells of one now and then, "silent" once."""

import http.server
import json
import sys
import time

POD = {"kind": "Pod", "apiVersion": "v1", "metadata": {"name": "shop-0", "resourceVersion": "7"}}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def tell(self):
        line = json.dumps({"type": "MODIFIED", "object": POD}).encode() + b"\n"
        self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.tell()
        while True:
            time.sleep(0.4)
            if sys.argv[1] == "events":
                self.tell()

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
