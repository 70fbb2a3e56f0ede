"""A coordinator of Trino: a query "runs" after three questions for it, or stays "queued"."""

import http.server
import json
import sys
import time

PAGE = "http://127.0.0.1:%d/v1/statement/queued/%d"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.answer(0)

    def do_GET(self):
        time.sleep(0.3)
        self.answer(int(self.path.rsplit("/", 1)[1]) + 1)

    def answer(self, number):
        port = self.server.server_address[1]
        state = "FINISHED" if sys.argv[1] == "runs" and number > 2 else "QUEUED"
        page = {"id": "q1", "infoUri": PAGE % (port, 0), "stats": {"state": state}, "warnings": []}
        if state == "QUEUED":
            page["nextUri"] = PAGE % (port, number)
        else:
            signature = {"rawType": "integer", "arguments": []}
            column = {"name": "sum", "type": "integer", "typeSignature": signature}
            page.update(columns=[column], data=[[12]])
        body = json.dumps(page).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
