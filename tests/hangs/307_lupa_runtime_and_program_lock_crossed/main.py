import os
import signal
import threading

from lupa import LuaRuntime

signal.alarm(120)

lua = LuaRuntime()
prices_lock = threading.Lock()
prices = {"tea": 3}
in_rule, changing = threading.Event(), threading.Event()


def price_of(name):
    in_rule.set()
    changing.wait()
    with prices_lock:
        return prices[name]


def apply_rules():
    lua.globals().price_of = price_of
    lua.execute("margin = price_of('tea') * 2")


def set_margin(percent):
    with prices_lock:
        changing.set()
        lua.execute(f"percent = {percent}")


if __name__ == "__main__":
    threading.Thread(target=apply_rules, name="rules", daemon=True).start()
    in_rule.wait()
    print("MARK main pid=%d" % os.getpid())
    set_margin(20)
