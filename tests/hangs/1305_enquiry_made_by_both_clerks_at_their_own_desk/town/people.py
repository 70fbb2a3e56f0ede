import socket
import threading
import time


class Citizen(threading.Thread):
    def __init__(self, name, address):
        super().__init__(name=name, daemon=True)
        self.address = address
        self.answers = []

    def ask(self, line, answers, question):
        line.sendall(question.encode() + b"\n")
        return answers.readline()

    def run(self):
        with socket.create_connection(self.address) as line, line.makefile("r") as answers:
            while True:
                answer = self.ask(line, answers, "person " + self.name)
                self.answers = [*self.answers[-4:], answer]
                time.sleep(0.1)


class Fountain(threading.Thread):
    def __init__(self):
        super().__init__(name="fountain", daemon=True)
        self.litres = 0

    def run(self):
        while True:
            time.sleep(0.2)
            self.litres += 3
