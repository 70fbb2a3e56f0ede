import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

USAGE = {"input_tokens": 1, "output_tokens": 1}
MESSAGE = {
    "id": "msg_1",
    "type": "message",
    "role": "assistant",
    "model": "poet",
    "content": [],
    "stop_reason": None,
    "stop_sequence": None,
    "usage": USAGE,
}


class Poet(BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        self.say({"type": "message_start", "message": MESSAGE})
        block = {"type": "text", "text": ""}
        self.say({"type": "content_block_start", "index": 0, "content_block": block})
        delta = {"type": "text_delta", "text": "Roses "}
        self.say({"type": "content_block_delta", "index": 0, "delta": delta})
        for _ in range(self.server.pings):
            time.sleep(0.5)
            self.say({"type": "ping"})
        self.say({"type": "content_block_stop", "index": 0})
        stop = {"stop_reason": "end_turn", "stop_sequence": None}
        self.say({"type": "message_delta", "delta": stop, "usage": USAGE})
        self.say({"type": "message_stop"})

    def say(self, event):
        text = f"event: {event['type']}\ndata: {json.dumps(event)}\n\n"
        self.wfile.write(text.encode())
        self.wfile.flush()

    def log_message(self, *_):
        pass


def wake_poet(pings):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Poet)
    server.daemon_threads = True
    server.pings = pings
    threading.Thread(target=server.serve_forever, name="poet", daemon=True).start()
    return server
