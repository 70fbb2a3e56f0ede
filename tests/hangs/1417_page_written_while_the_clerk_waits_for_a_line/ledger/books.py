import threading

import dataset


class Books:
    def __init__(self, path):
        self.base = dataset.connect(
            "sqlite:///" + path, engine_kwargs={"connect_args": {"timeout": 86400}}
        )
        self.sales = self.base.create_table("sales")
        self.prices = self.base.create_table("prices")
        self.sales.create_column("article", self.base.types.text)
        self.prices.create_column("article", self.base.types.text)
        self.prices.create_column("cents", self.base.types.integer)

    def price(self, article):
        row = self.prices.find_one(article=article)
        if row is None:
            self.prices.insert({"article": article, "cents": 100 + len(article)})
        return article


class Pricing(threading.Thread):
    def __init__(self, books, asked):
        super().__init__(name="pricing", daemon=True)
        self.books = books
        self.asked = asked

    def run(self):
        while True:
            article, answer = self.asked.get()
            answer.set_result(self.books.price(article))
