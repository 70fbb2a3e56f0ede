import asyncore
import email
import logging
import smtpd
import smtplib
import threading
import time
from email.message import EmailMessage

log = logging.getLogger("mailroom")


class MailRoom(smtpd.SMTPServer):
    def __init__(self, archive):
        super().__init__(("127.0.0.1", 0), None)
        self.port = self.socket.getsockname()[1]
        self.archive = archive
        self.shelves = {}

    def copy_to_archive(self, sender, data):
        post = smtplib.SMTP("127.0.0.1", self.port)
        post.sendmail(sender, [self.archive], data)
        post.quit()

    def process_message(self, peer, mailfrom, rcpttos, data, **options):
        letter = email.message_from_bytes(data)
        for one in rcpttos:
            self.shelves.setdefault(one, []).append(letter["subject"])
        if self.archive and self.archive not in rcpttos:
            self.copy_to_archive(mailfrom, data)


class Clerk(threading.Thread):
    def __init__(self, name, port):
        super().__init__(name=name, daemon=True)
        self.port = port
        self.sent = 0

    def write(self):
        letter = EmailMessage()
        letter["From"], letter["To"] = self.name + "@house", "boss@house"
        letter["Subject"] = "report %d" % self.sent
        letter.set_content("all is well\n")
        return letter

    def run(self):
        while True:
            time.sleep(0.3)
            with smtplib.SMTP("127.0.0.1", self.port) as post:
                post.send_message(self.write())
            self.sent += 1


def run(archive):
    room = MailRoom(archive)
    for name in ("anna", "bert"):
        Clerk(name, room.port).start()
    asyncore.loop(timeout=1)
