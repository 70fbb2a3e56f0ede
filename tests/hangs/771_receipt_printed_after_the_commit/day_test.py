from django.db import connection
from django.test import TransactionTestCase
from shop import hand_out, place_order


class DayTest(TransactionTestCase):
    def setUp(self):
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE orders (number integer, dish text)")

    def test_receipts_are_handed_out(self):
        for number in range(10**9):
            place_order("soup", number)
            self.assertEqual(hand_out(number), number)
