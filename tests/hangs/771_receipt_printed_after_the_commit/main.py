import os
import signal

import django
from django.conf import settings
from django.test.utils import get_runner

signal.alarm(120)


def run_tests(module):
    database = {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}
    settings.configure(DATABASES={"default": database})
    django.setup()
    return get_runner(settings)(verbosity=0).run_tests([module])


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    run_tests("orders_test")
