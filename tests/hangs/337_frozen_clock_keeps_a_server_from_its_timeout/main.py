import os
import signal
import socketserver

from freezegun import freeze_time

signal.alarm(120)


class Report(socketserver.StreamRequestHandler):
    def handle(self):
        self.server.report = self.rfile.readline()


def receive_report(address, patience):
    with socketserver.TCPServer(address, Report) as server:
        server.report = None
        server.timeout = patience
        server.handle_request()
        return server.report


@freeze_time("2024-05-01")
def check_report_without_a_sender():
    assert receive_report(("127.0.0.1", 0), 0.2) is None


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    check_report_without_a_sender()
