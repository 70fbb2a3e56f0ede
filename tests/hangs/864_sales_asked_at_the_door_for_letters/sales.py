import os
import subprocess
import sys

from clickhouse_driver import Client

HERE = os.path.dirname(os.path.abspath(__file__))


def start_office():
    server = subprocess.Popen(
        [sys.executable, "-u", os.path.join(HERE, "letters.py")], stdout=subprocess.PIPE
    )
    return int(server.stdout.readline())


class Sales:
    def __init__(self, port):
        self.client = Client(
            "127.0.0.1", port=port, connect_timeout=None, send_receive_timeout=None
        )
        self.days = {}

    def of_day(self, day):
        rows = self.client.execute(
            "select sum(amount) from sales where day = %(day)s", {"day": day}
        )
        return rows[0][0]

    def load(self, days):
        for day in days:
            self.days[day] = self.of_day(day)
