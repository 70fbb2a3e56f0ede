from whoosh.fields import ID, TEXT, Schema
from whoosh.index import create_in
from whoosh.writing import AsyncWriter


class Catalogue:
    def __init__(self, folder):
        self.index = create_in(folder, Schema(number=ID(unique=True), title=TEXT(stored=True)))
        self.late = []

    def read_delivery(self, lines):
        self.delivery = self.index.writer()
        for line in lines:
            number, title = line.split(";")
            self.delivery.add_document(number=number, title=title)
        self.delivery.commit()

    def add_book(self, number, title):
        writer = AsyncWriter(self.index, delay=0.1)
        writer.add_document(number=number, title=title)
        writer.commit()
        self.late.append(writer)

    def finish(self):
        for writer in self.late:
            if writer.ident:
                writer.join()
        self.late.clear()
