import http.server
import json


class Redirect(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.server.code = self.path.rpartition("=")[2]

    def log_message(self, *arguments):
        pass


def wait_for_login():
    server = http.server.HTTPServer(("127.0.0.1", 0), Redirect)
    server.handle_request()
    return server.code


if __name__ == "__main__":
    secret = wait_for_login()
    print(json.dumps({"Version": 1, "AccessKeyId": "shop", "SecretAccessKey": secret}))
