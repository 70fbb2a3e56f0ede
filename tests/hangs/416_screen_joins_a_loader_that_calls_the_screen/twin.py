import os
import signal
import threading

from textual.app import App
from textual.widgets import DataTable

signal.alarm(120)
STOCK = {"bolt": 120, "nut": 75, "washer": 310}


class StockApp(App):
    def compose(self):
        yield DataTable()

    def on_mount(self):
        self.query_one(DataTable).add_columns("part", "count")
        self.set_interval(0.3, self.refresh_stock)

    def refresh_stock(self):
        loader = threading.Thread(target=self.load_stock, name="stock-loader")
        loader.start()

    def load_stock(self):
        self.call_from_thread(self.show_stock, sorted(STOCK.items()))

    def show_stock(self, rows):
        table = self.query_one(DataTable)
        table.clear()
        for part, count in rows:
            table.add_row(part, str(count))


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    StockApp().run(headless=True)
