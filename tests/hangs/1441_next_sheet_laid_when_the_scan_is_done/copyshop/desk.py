import gevent


class Desk:
    def __init__(self, scanner, pages):
        self.scanner = scanner
        self.pages = pages
        self.done = 0

    def copy(self, sheets):
        running = self.scanner.start(self.pages)
        for sheet in sheets[: self.pages]:
            self.scanner.tray.lay(sheet)
            gevent.sleep(0.05)
        self.done += self.scanner.finish(running)

    def serve(self):
        number = 0
        while True:
            sheets = ["sheet %d" % (number + one) for one in range(3)]
            self.copy(sheets)
            number += 3


def count_coins(box):
    while True:
        box.append(len(box) % 5)
        del box[:-30]
        gevent.sleep(0.2)


def show_prices(board):
    while True:
        board["page"] = 10 + len(board)
        gevent.sleep(0.7)
