import logging
import pathlib
import subprocess
import sys
import threading
import time

from telegram.ext import CommandHandler, Updater

log = logging.getLogger("bot")
HERE = pathlib.Path(__file__).parent


class LampBot:
    def __init__(self, port):
        place = "http://127.0.0.1:%d/bot" % port
        self.updater = Updater("4821:lamp", base_url=place)
        self.lamps = {"hall": False}
        for name in ("light", "dark", "shutdown"):
            self.updater.dispatcher.add_handler(CommandHandler(name, getattr(self, name)))

    def light(self, update, context):
        self.lamps["hall"] = True

    def dark(self, update, context):
        self.lamps["hall"] = False

    def shutdown(self, update, context):
        self.lamps["hall"] = False
        self.updater.stop()
        log.info("stopped")

    def start(self):
        self.updater.start_polling(timeout=2)


class Meter(threading.Thread):
    def __init__(self, bot):
        super().__init__(name="meter", daemon=True)
        self.bot = bot
        self.hours = 0

    def run(self):
        while True:
            time.sleep(1)
            self.hours += self.bot.lamps["hall"]


def run(notes):
    office = [sys.executable, str(HERE / "post_office.py"), notes]
    office = subprocess.Popen(office, stdout=subprocess.PIPE)
    bot = LampBot(int(office.stdout.readline()))
    Meter(bot).start()
    bot.start()
    while bot.updater.dispatcher.running or not bot.updater.running:
        time.sleep(1)
