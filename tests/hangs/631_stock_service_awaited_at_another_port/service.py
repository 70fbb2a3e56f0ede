import socketserver
import sys


class Stock(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            self.wfile.write(b"%d\n" % len(line))


if __name__ == "__main__":
    socketserver.ThreadingTCPServer.daemon_threads = True
    socketserver.ThreadingTCPServer(("127.0.0.1", int(sys.argv[1])), Stock).serve_forever()
