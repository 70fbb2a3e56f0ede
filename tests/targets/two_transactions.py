"""Two connections to PostgreSQL of one program: the second one's statement waits for the row that
the first one has changed, in a transaction that ends afterwards. Needs psycopg, PGHOST and PGUSER.
"""

import psycopg
from ready import ready


def book(connection, item):
    with connection.cursor() as cursor:
        cursor.execute("UPDATE stock SET left_over = left_over - 1 WHERE item = %s", (item,))


def record_sale(connection, item):
    with connection.cursor() as cursor:
        cursor.execute("UPDATE stock SET sold = sold + 1 WHERE item = %s", (item,))  # waits
    connection.commit()


def sell(item):
    with psycopg.connect() as orders, psycopg.connect() as statistics:
        book(orders, item)
        ready()
        record_sale(statistics, item)
        orders.commit()  # too late: the statement above waits for it


def main():
    with psycopg.connect(autocommit=True) as connection:
        connection.execute("DROP TABLE IF EXISTS stock")
        connection.execute("CREATE TABLE stock (item text PRIMARY KEY, left_over int, sold int)")
        connection.execute("INSERT INTO stock VALUES ('chair', 10, 0)")
    sell("chair")


main()
