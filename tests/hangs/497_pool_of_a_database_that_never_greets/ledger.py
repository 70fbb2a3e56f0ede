import oracledb


class Ledger:
    def __init__(self, address, **settings):
        self.pool = oracledb.create_pool(
            user="ledger", password="none", dsn=address, min=1, max=4, increment=1, **settings
        )

    def balance(self, account):
        with self.pool.acquire() as connection, connection.cursor() as cursor:
            cursor.execute("select sum(amount) from entries where account = :1", [account])
            return cursor.fetchone()[0]
