import socketserver
import threading

from dnslib import RR
from dnslib.proxy import ProxyResolver
from dnslib.server import BaseResolver, DNSServer, DNSLogger


class Zone(BaseResolver):
    def __init__(self, records):
        self.records = {name: RR.fromZone("%s 60 A %s" % pair) for name, pair in records.items()}

    def resolve(self, request, handler):
        reply = request.reply()
        for answer in self.records.get(str(request.q.qname), ()):
            reply.add_answer(answer)
        return reply


class Forwarding(BaseResolver):
    def __init__(self, zone, upstream):
        self.zone = zone
        self.upstream = ProxyResolver(*upstream, timeout=None)
        self.asked = 0

    def resolve(self, request, handler):
        self.asked += 1
        if str(request.q.qname) in self.zone.records:
            return self.zone.resolve(request, handler)
        return self.upstream.resolve(request, handler)


class Office:
    def __init__(self, resolver, address):
        self.server = DNSServer(
            resolver,
            address=address[0],
            port=address[1],
            logger=DNSLogger(logf=lambda text: None),
            server=socketserver.UDPServer,
        )
        self.address = self.server.server.server_address

    def open(self, name):
        thread = threading.Thread(target=self.server.server.serve_forever, name=name, daemon=True)
        thread.start()
        return self
