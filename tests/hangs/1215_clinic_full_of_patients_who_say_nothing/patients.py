import socket
import sys
import time


class Patient:
    def __init__(self, port):
        self.line = socket.create_connection(("127.0.0.1", port)).makefile("rw")

    def ask(self, complaint):
        self.line.write(complaint + "\n")
        self.line.flush()
        return self.line.readline()


def visit_clinic(port):
    waiting = [Patient(port) for _ in range(2)]
    time.sleep(0.5)
    while True:
        patient = Patient(port)
        patient.ask("cough")
        patient.line.close()
        time.sleep(0.3)
    return waiting


if __name__ == "__main__":
    visit_clinic(int(sys.argv[1]))
