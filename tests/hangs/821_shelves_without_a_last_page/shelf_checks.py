from unittest.mock import MagicMock

from shelves import Inventory


def test_all_books_of_a_shelf():
    client = MagicMock()
    client.list_books.return_value.books = ["Emma"]
    assert Inventory(client).all_books() == [["Emma"]]
