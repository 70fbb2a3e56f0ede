from types import SimpleNamespace
from unittest.mock import MagicMock

import pytest

from shelves import Inventory


@pytest.mark.parametrize("shelf", range(400))
def test_all_books_of_a_shelf(shelf):
    client = MagicMock()
    client.list_books.side_effect = [
        SimpleNamespace(books=["Emma"], next_token=n) for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, None)
    ]
    assert Inventory(client).all_books() == [["Emma"]] * 10
