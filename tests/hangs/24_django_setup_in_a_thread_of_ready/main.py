import os
import signal
import threading

import django
from django.apps import AppConfig
from django.conf import settings

signal.alarm(120)


def warm_caches():
    django.setup()
    return [model.__name__ for model in django.apps.apps.get_models()]


class ShopConfig(AppConfig):
    name = "__main__"
    label = "shop"

    def ready(self):
        thread = threading.Thread(target=warm_caches, name="warm-up")
        thread.start()
        thread.join()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    settings.configure(INSTALLED_APPS=["__main__.ShopConfig"])
    django.setup()
