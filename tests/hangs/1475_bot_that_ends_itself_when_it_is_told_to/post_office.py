import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

QUEUE = sys.argv[1].split(",")
USER = {"id": 5, "is_bot": False, "first_name": "Ann"}


class Office(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    given = 0

    def answer(self, result):
        body = json.dumps({"ok": True, "result": result}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def next_update(self):
        time.sleep(0.5)
        if Office.given >= len(QUEUE):
            time.sleep(1)
            return []
        text = QUEUE[Office.given]
        Office.given += 1
        note = {"message_id": Office.given, "date": 1, "chat": {"id": 5, "type": "private"}}
        note.update({"from": USER, "text": text})
        note["entities"] = [{"type": "bot_command", "offset": 0, "length": len(text)}]
        return [{"update_id": Office.given, "message": note}]

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        method = self.path.rsplit("/", 1)[-1]
        if method == "getUpdates":
            self.answer(self.next_update())
        elif method == "getMe":
            self.answer({"id": 1, "is_bot": True, "first_name": "lamp", "username": "lampbot"})
        elif method == "sendMessage":
            self.answer({"message_id": 9, "date": 1, "chat": {"id": 5, "type": "private"}})
        else:
            self.answer(True)

    do_GET = do_POST

    def log_message(self, *args):
        pass


if __name__ == "__main__":
    office = ThreadingHTTPServer(("127.0.0.1", 0), Office)
    office.daemon_threads = True
    print(office.server_port, flush=True)
    office.serve_forever()
