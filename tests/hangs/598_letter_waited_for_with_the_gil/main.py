import os
import signal
import threading
import time

from build import HERE, build

signal.alarm(120)


def deliver(mailbox, letters):
    for letter in letters:
        time.sleep(0.05)
        mailbox.put(letter)


def read_letter(mailbox):
    return mailbox.take()


def read_post(office):
    mailbox = office.Mailbox()
    postman = threading.Thread(target=deliver, args=(mailbox, ["to ann", "to bob"]), name="postman")
    postman.start()
    letters = [read_letter(mailbox), read_letter(mailbox)]
    postman.join()
    return letters


if __name__ == "__main__":
    office = build(os.path.join(HERE, "build", "main"))
    print("MARK main pid=%d" % os.getpid(), flush=True)
    print(read_post(office))
