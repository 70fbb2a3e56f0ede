"""A threading HTTP server under load from this same process: nothing is wrong."""

import http.client
import http.server
import socketserver
import threading

from ready import ready


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        body = str(sum(i * i for i in range(2000))).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


def load(port):
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port)
        for _ in range(50):
            connection.request("GET", "/")
            connection.getresponse().read()
        connection.close()


if __name__ == "__main__":
    server = Server(("127.0.0.1", 0), Handler)
    for number in range(4):
        name = "client-%d" % number
        arguments = (server.server_address[1],)
        threading.Thread(target=load, args=arguments, name=name, daemon=True).start()
    ready()
    server.serve_forever()
