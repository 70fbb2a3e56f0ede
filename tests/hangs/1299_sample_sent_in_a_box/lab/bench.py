import queue
import threading
import time

from thrift.transport import TSocket, TTransport

from lab.wire import CALL, binary, read_text, write_text


class Analyser:
    def __init__(self, port, boxed):
        line = TSocket.TSocket("127.0.0.1", port)
        wrap = TTransport.TFramedTransport if boxed else TTransport.TBufferedTransport
        self.transport = wrap(line)
        self.protocol = binary(self.transport)
        self.sequence = 0

    def analyse(self, sample):
        if not self.transport.isOpen():
            self.transport.open()
        self.sequence += 1
        write_text(self.protocol, "analyse", CALL, sample, self.sequence)
        _name, finding, _sequence = read_text(self.protocol)
        return finding


class Bench(threading.Thread):
    def __init__(self, analyser, samples, findings):
        super().__init__(name="bench", daemon=True)
        self.analyser = analyser
        self.samples = samples
        self.findings = findings

    def run(self):
        while True:
            self.findings.put(self.analyser.analyse(self.samples.get()))


class Fridge(threading.Thread):
    def __init__(self):
        super().__init__(name="fridge", daemon=True)
        self.degrees = []

    def run(self):
        while True:
            time.sleep(0.4)
            self.degrees = [*self.degrees[-5:], 4]


def shift(port, boxed):
    samples, findings = queue.Queue(), queue.Queue()
    Fridge().start()
    Bench(Analyser(port, boxed), samples, findings).start()
    number = 0
    while True:
        number += 1
        samples.put("water %d" % number)
        findings.get()
        time.sleep(0.05)
