import threading
from concurrent.futures import ThreadPoolExecutor

import pika


class Office:
    def __init__(self, port):
        parameters = pika.ConnectionParameters("127.0.0.1", port, heartbeat=0)
        self.connection = pika.BlockingConnection(parameters)
        self.channel = self.connection.channel()
        self.channel.basic_qos(prefetch_count=1)
        self.clerks = ThreadPoolExecutor(2, thread_name_prefix="clerk")
        self.filed = []

    def acknowledge(self, tag, acknowledged):
        self.channel.basic_ack(tag)
        acknowledged.set()

    def file_letter(self, tag, letter):
        acknowledged = threading.Event()
        self.filed.append(letter)
        self.connection.add_callback_threadsafe(lambda: self.acknowledge(tag, acknowledged))
        acknowledged.wait()

    def on_letter(self, channel, delivery, properties, letter):
        self.clerks.submit(self.file_letter, delivery.delivery_tag, letter).result()

    def receive_letters(self):
        self.channel.basic_consume("letters", self.on_letter)
        self.channel.start_consuming()
