import time


class Inventory:
    def __init__(self, client):
        self.client = client

    def all_books(self):
        books, token = [], None
        while True:
            page = self.client.list_books(start=token)
            books.append(page.books)
            token = page.next_token
            if not token:
                return books
            time.sleep(0.02)
