import os
import signal
import sys
import time

from playwright.sync_api import sync_playwright

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)
PORT = start("http_server")


class Budget:
    def __init__(self, seconds):
        self.end = time.monotonic() + seconds

    def remaining(self):
        return max(0, self.end - time.monotonic()) * 1000


class Inspector:
    def __init__(self, browser):
        self.visitor = browser.request.new_context(base_url="http://127.0.0.1:%d" % PORT)

    def weigh(self, page):
        time.sleep(0.6)
        return len(page)

    def inspect(self, paths):
        budget = Budget(1)
        weights = {}
        for path in paths:
            answer = self.visitor.get("/" + path, timeout=budget.remaining())
            weights[path] = self.weigh(answer.body())
        return weights


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    with sync_playwright() as browser:
        inspector = Inspector(browser)
        inspector.inspect(["small", "small", "silent"])
