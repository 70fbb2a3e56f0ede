import os
import signal
import time

from google_auth_oauthlib.flow import InstalledAppFlow

signal.alarm(120)

APP = {
    "installed": {
        "client_id": "letters",
        "client_secret": "none",
        "auth_uri": "https://accounts.google.com/o/oauth2/auth",
        "token_uri": "https://oauth2.googleapis.com/token",
        "redirect_uris": ["http://localhost"],
    }
}


class Outbox:
    def __init__(self, scopes):
        self.scopes = scopes
        self.token = None

    def sign_in(self):
        flow = InstalledAppFlow.from_client_config(APP, self.scopes)
        self.token = flow.authorization_url()

    def send(self, letter):
        if self.token is None:
            self.sign_in()
        print("sent", letter)


def send_reminders(names):
    outbox = Outbox(["https://www.googleapis.com/auth/gmail.send"])
    for name in names:
        outbox.send("Dear %s, please bring back our books." % name)


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    while True:
        send_reminders(["ann", "bob"])
        time.sleep(0.1)
