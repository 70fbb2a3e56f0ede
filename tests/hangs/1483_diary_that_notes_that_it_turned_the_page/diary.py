import io
import pathlib
import tempfile

import structlog


class Diary(io.TextIOBase):
    """A text file that begins a new page when one is full."""

    def __init__(self, page_size, chatty):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="diary-"))
        self.page_size = page_size
        self.chatty = chatty
        self.number = 0
        self.page = self.new_page()

    def new_page(self):
        self.number += 1
        return (self.folder / ("page-%d.txt" % (self.number % 10))).open("w")

    def turn(self):
        self.page.close()
        self.page = self.new_page()
        if self.chatty:
            structlog.get_logger().info("page turned", number=self.number)

    def write(self, text):
        if self.page.tell() + len(text) > self.page_size:
            self.turn()
        return self.page.write(text)

    def flush(self):
        self.page.flush()


def open_diary(page_size, chatty):
    structlog.configure(
        processors=[structlog.processors.JSONRenderer()],
        logger_factory=structlog.PrintLoggerFactory(file=Diary(page_size, chatty)),
        cache_logger_on_first_use=False,
    )
