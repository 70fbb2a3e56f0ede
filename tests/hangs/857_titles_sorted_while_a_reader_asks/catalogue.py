import sqlite3
import threading


class Catalogue:
    def __init__(self):
        self.base = sqlite3.connect(":memory:", check_same_thread=False)
        self.base.create_function("sort_title", 1, self.sort_title)
        self.base.execute("create table books (id integer primary key, title text)")
        rows = [(f"The Book of Number {number}",) for number in range(20000)]
        self.base.executemany("insert into books (title) values (?)", rows)
        self.guard = threading.Lock()

    @staticmethod
    def sort_title(title):
        for article in ("The ", "A ", "An "):
            if title.startswith(article):
                return title[len(article) :] + ", " + article.strip()
        return title

    def sorted_titles(self):
        cursor = self.base.execute("select sort_title(title) from books order by 1")
        return [row[0] for row in cursor]

    def title(self, number):
        cursor = self.base.execute("select title from books where id = ?", (number,))
        return cursor.fetchone()[0]
