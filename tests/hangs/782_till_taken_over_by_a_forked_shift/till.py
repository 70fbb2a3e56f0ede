from psycopg_pool import ConnectionPool


def open_till(port):
    address = "host=127.0.0.1 port=%d user=shop dbname=shop sslmode=disable" % port
    till = ConnectionPool(
        address,
        min_size=1,
        max_size=4,
        timeout=7200,
        open=True,
        kwargs={"autocommit": True, "prepare_threshold": None},
    )
    till.wait()
    return till


def take_in(till, amount):
    with till.connection() as book:
        note_in_journal(till, amount)
        book.execute("UPDATE till SET amount = amount + 1")


def note_in_journal(till, amount):
    with till.connection() as journal:
        journal.execute("INSERT INTO journal VALUES (1)")
