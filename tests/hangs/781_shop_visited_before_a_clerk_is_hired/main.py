import os
import signal

from gunicorn.app.base import BaseApplication
from shop import check_shop, shop

signal.alarm(120)


class ShopServer(BaseApplication):
    def load_config(self):
        self.cfg.set("bind", "127.0.0.1:0")
        self.cfg.set("workers", 2)
        self.cfg.set("loglevel", "error")
        self.cfg.set("when_ready", check_shop)

    def load(self):
        return shop


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    ShopServer().run()
