import http.server
import json
import os
import signal
import threading
import time

from splitio import get_factory

signal.alarm(120)


class FlagService(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        nothing = {"d": [], "s": -1, "t": 1}
        answer = json.dumps({"ff": nothing, "rbs": nothing}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


class Bakery:
    def __init__(self, port):
        base = "http://127.0.0.1:%d" % port
        self.factory = get_factory(
            "ovens-key",
            config={"streamingEnabled": False, "impressionsMode": "none"},
            sdk_api_base_url=base,
            events_api_base_url=base,
            auth_api_base_url=base,
            telemetry_api_base_url=base,
        )

    def heat(self, oven):
        self.factory.block_until_ready()
        return self.factory.client().get_treatment(oven, "fast-heating")


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), FlagService)
    threading.Thread(target=server.serve_forever, name="flags", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    bakery = Bakery(server.server_address[1])
    while True:
        bakery.heat("oven 3")
        time.sleep(0.1)
