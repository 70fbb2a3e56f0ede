"""A Matrix server with one room: every sync is answered at once or after the time it names."""

import http.server
import json
import time
import urllib.parse


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        asked = urllib.parse.parse_qs(urllib.parse.urlsplit(self.path).query)
        time.sleep(int(asked.get("timeout", ["0"])[0]) / 1000 if "since" in asked else 0)
        body = json.dumps(
            {
                "next_batch": "s1",
                "device_one_time_keys_count": {},
                "device_lists": {"changed": [], "left": []},
                "rooms": {"invite": {}, "join": {}, "leave": {}},
                "to_device": {"events": []},
                "presence": {"events": []},
                "account_data": {"events": []},
            }
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_PUT = do_GET

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
