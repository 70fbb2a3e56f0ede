import email.message
import os
import signal
import smtplib
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def write_invoice(number):
    message = email.message.EmailMessage()
    message["Subject"] = "Invoice %d" % number
    message["From"] = "shop@example.org"
    message["To"] = "customer@example.org"
    message.set_content("Please pay.")
    return message


def send_invoice(port, number):
    with smtplib.SMTP("127.0.0.1", port) as server:
        server.send_message(write_invoice(number))


def send_invoices(port, numbers):
    for number in numbers:
        send_invoice(port, number)


if __name__ == "__main__":
    port = start("smtp_server", "slow")
    print("MARK main pid=%d" % os.getpid())
    while True:
        send_invoices(port, [17, 18])
