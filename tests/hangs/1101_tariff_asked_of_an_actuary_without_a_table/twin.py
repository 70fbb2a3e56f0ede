import os
import queue
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import zeep

TABLES = [7]
WSDL = """<?xml version="1.0"?>
<definitions xmlns="http://schemas.xmlsoap.org/wsdl/" xmlns:t="urn:tariff"
 xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:soap="http://schemas.xmlsoap.org/wsdl/soap/"
 targetNamespace="urn:tariff">
 <message name="Ask"><part name="age" type="xsd:int"/></message>
 <message name="Tell"><part name="fee" type="xsd:int"/></message>
 <portType name="Port"><operation name="Fee">
  <input message="t:Ask"/><output message="t:Tell"/></operation></portType>
 <binding name="Binding" type="t:Port">
  <soap:binding style="rpc" transport="http://schemas.xmlsoap.org/soap/http"/>
  <operation name="Fee"><soap:operation soapAction="fee"/>
   <input><soap:body use="literal" namespace="urn:tariff"/></input>
   <output><soap:body use="literal" namespace="urn:tariff"/></output></operation></binding>
 <service name="Tariff"><port name="Port" binding="t:Binding">
  <soap:address location="http://127.0.0.1:%d/fee"/></port></service>
</definitions>"""
ANSWER = (
    '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>'
    '<t:FeeResponse xmlns:t="urn:tariff"><fee>%d</fee></t:FeeResponse></e:Body></e:Envelope>'
)


class Actuary:
    def __init__(self):
        self.tables = queue.Queue()
        for table in TABLES:
            self.tables.put(table)

    def work_out(self):
        table = self.tables.get()
        self.tables.put(table)
        return 3 * table


class Insurer(BaseHTTPRequestHandler):
    actuary = Actuary()

    def send(self, text):
        self.send_response(200)
        self.send_header("Content-Type", "text/xml")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def do_GET(self):
        self.send(WSDL % self.server.server_port)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send(ANSWER % self.actuary.work_out())

    def log_message(self, *words):
        pass


def run_insurer():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Insurer)
    print(server.server_port, flush=True)
    server.serve_forever()


class Broker:
    def __init__(self, port):
        self.client = zeep.Client("http://127.0.0.1:%d/?wsdl" % port)

    def quote(self, age):
        return self.client.service.Fee(age)

    def sell(self):
        while True:
            for age in range(20, 60):
                self.quote(age)


if __name__ == "__main__":
    if sys.argv[1:] == ["insurer"]:
        run_insurer()
    else:
        insurer = subprocess.Popen(
            [sys.executable, "-u", __file__, "insurer"], stdout=subprocess.PIPE, text=True
        )
        broker = Broker(int(insurer.stdout.readline()))
        print("MARK main pid=%d" % os.getpid(), flush=True)
        broker.sell()
