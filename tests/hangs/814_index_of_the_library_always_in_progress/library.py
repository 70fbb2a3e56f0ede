import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Desk(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.answer()

    def do_GET(self):
        self.server.asked += 1
        self.answer()

    def answer(self):
        ready = self.server.asked >= self.server.ready_after
        body = json.dumps(
            {
                "id": "vsfb_1",
                "object": "vector_store.file_batch",
                "created_at": 1,
                "vector_store_id": "vs_1",
                "status": "completed" if ready else "in_progress",
                "file_counts": {
                    "in_progress": 0 if ready else 1,
                    "completed": 1 if ready else 0,
                    "failed": 0,
                    "cancelled": 0,
                    "total": 1,
                },
            }
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def open_library(ready_after):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Desk)
    server.daemon_threads = True
    server.asked, server.ready_after = 0, ready_after
    threading.Thread(target=server.serve_forever, name="library", daemon=True).start()
    return server
