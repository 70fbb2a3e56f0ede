import os
import signal
import threading

from dependency_injector import containers, providers

signal.alarm(120)


class Mailer:
    def __init__(self):
        self.sent = []


class Reminders:
    def __init__(self, get_mailer):
        self.ready = threading.Event()
        self.get_mailer = get_mailer
        threading.Thread(target=self.remind, name="reminders", daemon=True).start()
        self.ready.wait()

    def remind(self):
        self.mailer = self.get_mailer()
        self.ready.set()
        threading.Event().wait()


class Shop(containers.DeclarativeContainer):
    mailer = providers.ThreadSafeSingleton(Mailer)
    reminders = providers.ThreadSafeSingleton(Reminders, get_mailer=mailer.provider)


def open_shop(shop):
    return shop.reminders()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    open_shop(Shop())
