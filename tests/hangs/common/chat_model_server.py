"""Speaks /api/chat of Ollama: a word every moment; a model called "tired" stops after two."""

import http.server
import json
import threading
import time

WORDS = "the tea is ready and so is the jam".split()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def say(self, word, done):
        part = {"message": {"role": "assistant", "content": word}, "done": done}
        line = json.dumps(part).encode() + b"\n"
        self.wfile.write(b"%x\r\n%s\r\n" % (len(line), line))

    def do_POST(self):
        size = int(self.headers.get("Content-Length", 0))
        model = json.loads(self.rfile.read(size))["model"]
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, word in enumerate(WORDS):
            if model == "tired" and number == 2:
                threading.Event().wait()
            time.sleep(0.1)
            self.say(word, number == len(WORDS) - 1)
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
