import os
import signal
import threading
import time

from lupa import LuaRuntime

signal.alarm(120)

lua = LuaRuntime()
prices_lock = threading.Lock()
prices = {"tea": 3}


def price_of(name):
    time.sleep(0.02)
    with prices_lock:
        return prices[name]


def apply_rules():
    lua.globals().price_of = price_of
    while True:
        lua.execute("margin = price_of('tea') * 2")


def set_margin(percent):
    lua.execute(f"percent = {percent}")
    with prices_lock:
        prices["tea"] += 1


if __name__ == "__main__":
    threading.Thread(target=apply_rules, name="rules", daemon=True).start()
    print("MARK main pid=%d" % os.getpid())
    while True:
        set_margin(20)
        time.sleep(0.01)
