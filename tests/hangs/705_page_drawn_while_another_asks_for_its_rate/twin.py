import os
import signal
import sys
import threading
import time

import minijinja

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

from rates import RateDesk

signal.alarm(120)


def draw_bills(pages):
    while True:
        pages.render_template("bill", orders=list(range(50)))


def draw_notice(pages):
    return pages.render_template("notice", name="Ada")


if __name__ == "__main__":
    desk = RateDesk(start("weather_server"))
    pages = minijinja.Environment(
        templates={
            "bill": "{% for order in orders %}{{ order | in_euro }} {% endfor %}",
            "notice": "Dear {{ name }}",
        }
    )
    pages.add_filter("in_euro", desk.in_euro)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    threading.Thread(target=draw_bills, args=(pages,), name="bills", daemon=True).start()
    desk.asked.wait()
    notices = minijinja.Environment(templates={"notice": "Dear {{ name }}"})
    while True:
        draw_notice(notices)
        time.sleep(0.2)
