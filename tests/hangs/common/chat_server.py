"""Answers like a server of language models: streams if asked to, a word every 50 ms."""

import http.server
import json
import time


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        base = {"id": "c1", "created": 1, "model": asked["model"]}
        if asked.get("stream"):
            self.stream({**base, "object": "chat.completion.chunk"})
            return
        message = {"role": "assistant", "content": "fine"}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        body = json.dumps({**base, "object": "chat.completion", "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self, base):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for _ in range(20):
            choice = {"index": 0, "delta": {"content": "word "}, "finish_reason": None}
            self.chunk(b"data: %s\n\n" % json.dumps({**base, "choices": [choice]}).encode())
            time.sleep(0.05)
        self.chunk(b"data: [DONE]\n\n")
        self.chunk(b"")

    def chunk(self, data):
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def log_message(self, *args):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        pass


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
