import http.server
import threading

import boto3


class Cloud(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("Content-Type", "application/x-amz-json-1.1")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *args):
        pass


def open_cloud():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Cloud)
    threading.Thread(target=server.serve_forever, name="cloud", daemon=True).start()
    return boto3.client(
        "logs",
        endpoint_url="http://127.0.0.1:%d" % server.server_address[1],
        region_name="eu-north-1",
        aws_access_key_id="mill",
        aws_secret_access_key="mill",
    )
