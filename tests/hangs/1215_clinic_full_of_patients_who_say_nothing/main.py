import os
import socketserver
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))


class Visit(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            complaint = line.decode().strip()
            self.wfile.write(self.server.advise(complaint).encode() + b"\n")


class Clinic(socketserver.ForkingMixIn, socketserver.TCPServer):
    allow_reuse_address = True

    def __init__(self, rooms, advice):
        super().__init__(("127.0.0.1", 0), Visit)
        self.max_children = rooms
        self.advice = advice

    def advise(self, complaint):
        return self.advice.get(complaint, "rest")

    def port(self):
        return self.server_address[1]


def send_patients(port):
    command = [sys.executable, os.path.join(HERE, "patients.py"), str(port)]
    return subprocess.Popen(command)


def run_clinic(rooms):
    with Clinic(rooms, {"cough": "tea", "fever": "bed"}) as clinic:
        send_patients(clinic.port())
        print("MARK main pid=%d" % os.getpid(), flush=True)
        clinic.serve_forever(poll_interval=0.1)


ROOMS = 2


if __name__ == "__main__":
    run_clinic(ROOMS)
