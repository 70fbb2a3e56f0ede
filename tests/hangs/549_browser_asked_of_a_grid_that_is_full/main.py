import os
import signal
import sys

from selenium import webdriver
from selenium.webdriver.remote.client_config import ClientConfig

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


class Checkout:
    def __init__(self, grid):
        self.grid = grid
        self.driver = None

    def open_browser(self):
        config = ClientConfig(remote_server_addr=self.grid, timeout=3600)
        options = webdriver.ChromeOptions()
        self.driver = webdriver.Remote(self.grid, options=options, client_config=config)

    def check_basket(self):
        self.open_browser()
        self.driver.get("http://shop.example/basket")
        self.driver.quit()


if __name__ == "__main__":
    checkout = Checkout("http://127.0.0.1:%d/wd/hub" % start("grid_server", "full"))
    print("MARK main pid=%d" % os.getpid())
    checkout.check_basket()
