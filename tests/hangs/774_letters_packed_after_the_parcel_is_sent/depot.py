import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import boto3
from botocore.config import Config


class Depot(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_PUT(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.send_header("ETag", '"1"')
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments):
        pass


def open_depot():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Depot)
    threading.Thread(target=server.serve_forever, name="depot", daemon=True).start()
    return boto3.client(
        "s3",
        endpoint_url="http://127.0.0.1:%d" % server.server_address[1],
        aws_access_key_id="depot",
        aws_secret_access_key="depot",
        region_name="eu-west-1",
        config=Config(read_timeout=10, request_checksum_calculation="when_required"),
    )
