import socket

from kafka import KafkaConsumer, TopicPartition


def unused_port():
    with socket.create_server(("127.0.0.1", 0)) as door:
        return door.getsockname()[1]


class OrderFeed:
    def __init__(self, port):
        self.topic = TopicPartition("orders", 0)
        self.consumer = KafkaConsumer(
            bootstrap_servers=f"127.0.0.1:{port}",
            group_id="billing",
            api_version=(2, 5, 0),
            enable_auto_commit=False,
        )
        self.consumer.assign([self.topic])

    def next_orders(self):
        batch = self.consumer.poll(timeout_ms=500)
        return [record.value for records in batch.values() for record in records]


class Billing:
    def __init__(self, feed):
        self.feed = feed
        self.billed = 0

    def bill_all(self):
        while True:
            for _order in self.feed.next_orders():
                self.billed += 1
