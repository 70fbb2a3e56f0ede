import os
import signal
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from requests_cache import CachedSession

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Catalogue:
    def __init__(self, folder, shop):
        self.shop = shop
        self.session = CachedSession(os.path.join(folder, "pages.sqlite"), backend="sqlite")

    def fetch(self, name):
        return self.session.get("%s/small/%s" % (self.shop, name)).text

    def fill(self, names):
        with self.session.cache.responses.bulk_commit():
            with ThreadPoolExecutor(3, thread_name_prefix="fetcher") as fetchers:
                return list(fetchers.map(self.fetch, names))


if __name__ == "__main__":
    shop = "http://127.0.0.1:%d" % start("http_server")
    with tempfile.TemporaryDirectory() as folder:
        catalogue = Catalogue(folder, shop)
        print("MARK main pid=%d" % os.getpid(), flush=True)
        catalogue.fill(["tea", "jam", "rice", "salt"])
