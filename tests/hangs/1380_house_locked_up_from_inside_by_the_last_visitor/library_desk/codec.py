import json


def encode(message):
    return json.dumps(message).encode()


def decode(text):
    return json.loads(text)
