import os
import signal

import debugpy

signal.alarm(120)


def allow_debugging():
    debugpy.listen(("127.0.0.1", 0))
    debugpy.wait_for_client()


def import_prices(lines):
    return {name: float(price) for name, price in (line.split(";") for line in lines)}


def run_import():
    if os.environ.get("SHOP_DEBUG", "1") == "1":
        allow_debugging()
    return import_prices(["tea;3.5", "milk;0.9"])


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    print(run_import())
