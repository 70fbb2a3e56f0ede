"""A Pub/Sub server that gives every message of a request an id, after a moment."""

import time
from concurrent.futures import ThreadPoolExecutor

import grpc
from google.pubsub_v1 import PublishRequest, PublishResponse


def publish(request, context):
    time.sleep(0.1)
    messages = PublishRequest.deserialize(request).messages
    return PublishResponse.serialize(
        PublishResponse(message_ids=[str(len(messages))] * len(messages))
    )


class Handler(grpc.GenericRpcHandler):
    def service(self, details):
        return grpc.unary_unary_rpc_method_handler(publish)


server = grpc.server(ThreadPoolExecutor(4), handlers=[Handler()])
print(server.add_insecure_port("127.0.0.1:0"))
server.start()
server.wait_for_termination()
