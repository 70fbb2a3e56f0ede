import mailbox
import time


class Letterbox:
    """A mailbox that several programs write to."""

    def __init__(self, path):
        self.path = path
        self.box = mailbox.mbox(path)

    def open(self):
        while True:
            try:
                self.box.lock()
                return self.box
            except mailbox.ExternalClashError:
                time.sleep(0.05)

    def post(self, sender, text):
        letter = mailbox.mboxMessage()
        letter["From"] = sender
        letter.set_payload(text)
        box = self.open()
        try:
            box.add(letter)
            box.flush()
        finally:
            box.unlock()
