from django.db import connection
from django.test import TestCase
from shop import hand_out, place_order


class OrderTest(TestCase):
    @classmethod
    def setUpTestData(cls):
        with connection.cursor() as cursor:
            cursor.execute("CREATE TABLE orders (number integer, dish text)")

    def test_receipt_is_handed_out(self):
        place_order("soup", 7)
        self.assertEqual(hand_out(7), 7)
