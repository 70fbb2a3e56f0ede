import os

os.environ["RAY_CGRAPH_get_timeout"] = "86400"
os.environ["RAY_CGRAPH_submit_timeout"] = "86400"

import numpy
import ray
from ray.dag import InputNode


@ray.remote
class Encoder:
    def encode(self, number):
        return numpy.full(100_000, number)


def compile_graph(encoder):
    with InputNode() as number:
        graph = encoder.encode.bind(number)
    return graph.experimental_compile()


def encode_all(graph, rows):
    encoded = []
    for number in range(rows):
        encoded.append(ray.get(graph.execute(number)))
    return encoded


def main():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    graph = compile_graph(Encoder.remote())
    ray.get(graph.execute(0)).sum()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        encode_all(graph, 40)


if __name__ == "__main__":
    main()
