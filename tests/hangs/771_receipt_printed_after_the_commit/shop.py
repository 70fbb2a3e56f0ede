import threading

from django.db import connection, transaction

printed = threading.Event()


def print_receipt(number):
    printed.set()


def place_order(dish, number):
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("INSERT INTO orders VALUES (%s, %s)", [number, dish])
        transaction.on_commit(lambda: print_receipt(number))


def hand_out(number):
    printed.wait()
    printed.clear()
    return number
