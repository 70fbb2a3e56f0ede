import os
import signal
import sys

from kubernetes import client, watch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from common.stub import start

signal.alarm(120)


def open_cluster(port):
    configuration = client.Configuration(host="http://127.0.0.1:%d" % port)
    return client.CoreV1Api(client.ApiClient(configuration))


def watch_pods(cluster):
    for event in watch.Watch().stream(cluster.list_namespaced_pod, "shop"):
        print(event["type"], event["object"].metadata.name)


if __name__ == "__main__":
    port = start("kubernetes_server", "silent")
    cluster = open_cluster(port)
    print("MARK main pid=%d" % os.getpid())
    watch_pods(cluster)
