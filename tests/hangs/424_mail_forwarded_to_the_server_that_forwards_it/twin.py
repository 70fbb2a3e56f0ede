import os
import signal
import smtplib
import socket
from email.message import EmailMessage

from aiosmtpd.controller import Controller

signal.alarm(120)
ALIASES = {"sales@shop.test": "anna@shop.test"}


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


class Forwarder:
    def __init__(self, port):
        self.port = port
        self.kept = []

    async def handle_DATA(self, server, session, envelope):
        for one in envelope.rcpt_tos:
            if one in ALIASES:
                self.forward(envelope, ALIASES[one])
            else:
                self.kept.append((one, envelope.content))
        return "250 Message accepted"

    def forward(self, envelope, wanted):
        with smtplib.SMTP("127.0.0.1", self.port) as next_server:
            next_server.sendmail(envelope.mail_from, [wanted], envelope.content)


def send_offer(port, to):
    offer = EmailMessage()
    offer["From"], offer["To"], offer["Subject"] = "bob@mill.test", to, "Offer"
    offer.set_content("Flour, 40 sacks")
    with smtplib.SMTP("127.0.0.1", port) as server:
        server.send_message(offer)


if __name__ == "__main__":
    port = free_port()
    inner = free_port()
    Controller(Forwarder(None), hostname="127.0.0.1", port=inner).start()
    controller = Controller(Forwarder(inner), hostname="127.0.0.1", port=port)
    controller.start()
    print("MARK main pid=%d" % os.getpid())
    while True:
        send_offer(port, "anna@shop.test")
        send_offer(port, "sales@shop.test")
