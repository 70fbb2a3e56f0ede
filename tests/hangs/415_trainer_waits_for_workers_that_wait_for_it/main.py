import json
import os
import socket
import tempfile
import time
from datetime import timedelta

os.environ.update(
    VLLM_CPU_KVCACHE_SPACE="1",
    VLLM_CPU_OMP_THREADS_BIND="nobind",
    OMP_NUM_THREADS="1",
    HF_HUB_OFFLINE="1",
    VLLM_NO_USAGE_STATS="1",
    VLLM_LOGGING_LEVEL="ERROR",
    VLLM_ALLOW_INSECURE_SERIALIZATION="1",
    VLLM_WORKER_MULTIPROC_METHOD="spawn",
)
import torch.distributed as dist
from vllm import LLM

MINUTES = timedelta(minutes=30)
GROUPS = []
CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "vocab_size": 512,
    "hidden_size": 256,
    "intermediate_size": 512,
    "num_hidden_layers": 1,
    "num_attention_heads": 8,
    "num_key_value_heads": 8,
    "head_dim": 32,
    "max_position_embeddings": 512,
    "torch_dtype": "float32",
}


def join_weight_group(port, rank):
    store = dist.TCPStore("127.0.0.1", port, 3, rank == 0, MINUTES, wait_for_workers=False)
    group = dist.ProcessGroupGloo(dist.PrefixStore(f"w{port}", store), rank, 3, MINUTES)
    GROUPS.append(group)


class WeightUpdates:
    def init_weight_update_group(self, port):
        join_weight_group(port, self.rank + 1)


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def connect_trainer(engine):
    port = free_port()
    engine.collective_rpc("init_weight_update_group", args=(port,))
    join_weight_group(port, 0)


def model_folder():
    folder = tempfile.mkdtemp(prefix="tiny-")
    with open(os.path.join(folder, "config.json"), "w") as file:
        json.dump(CONFIG, file)
    return folder


if __name__ == "__main__":
    engine = LLM(
        model_folder(),
        load_format="dummy",
        skip_tokenizer_init=True,
        tensor_parallel_size=2,
        max_model_len=128,
        enforce_eager=True,
        dtype="float32",
        worker_extension_cls="main.WeightUpdates",
    )
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        connect_trainer(engine)
        time.sleep(0.1)
