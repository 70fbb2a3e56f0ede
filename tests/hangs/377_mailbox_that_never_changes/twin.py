import os
import signal
import sys

from imapclient import IMAPClient

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def wait_for_orders(mailbox):
    mailbox.idle()
    for change in mailbox.idle_check():
        assert change
    mailbox.idle_done()


def watch_mailbox(port):
    with IMAPClient("127.0.0.1", port, ssl=False) as mailbox:
        mailbox.login("shop", "shop")
        mailbox.select_folder("Orders")
        while True:
            wait_for_orders(mailbox)


if __name__ == "__main__":
    port = start("imap_server", "busy")
    print("MARK main pid=%d" % os.getpid())
    watch_mailbox(port)
