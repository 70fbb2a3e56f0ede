from neo4j import GraphDatabase


class Library:
    def __init__(self, port, connections):
        self.driver = GraphDatabase.driver(
            "bolt://127.0.0.1:%d" % port,
            auth=("library", "none"),
            max_connection_pool_size=connections,
            connection_acquisition_timeout=3600,
        )

    def address(self, name):
        with self.driver.session() as session:
            found = session.run("match (p:Person {name: $name}) return p.street as name", name=name)
            return [record["name"] for record in found]

    def lend(self, book, name):
        with self.driver.session() as session, session.begin_transaction() as loan:
            loan.run("match (b:Book {title: $book}) set b.lent = true", book=book)
            street = self.address(name)
            loan.run("create (l:Letter {to: $name, street: $street})", name=name, street=street)
            loan.commit()
