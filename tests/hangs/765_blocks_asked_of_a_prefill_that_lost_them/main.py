import json
import os
import tempfile
import multiprocessing
import time

os.environ.update(
    VLLM_CPU_KVCACHE_SPACE="1",
    VLLM_CPU_OMP_THREADS_BIND="nobind",
    OMP_NUM_THREADS="1",
    HF_HUB_OFFLINE="1",
    VLLM_NO_USAGE_STATS="1",
    VLLM_LOGGING_LEVEL="ERROR",
    VLLM_WORKER_MULTIPROC_METHOD="spawn",
)
import zmq
from vllm import LLM, SamplingParams
from vllm.config import KVTransferConfig
from vllm.distributed.kv_transfer.kv_connector.v1.base import (
    KVConnectorBase_V1,
    KVConnectorMetadata,
)

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


def model_folder():
    folder = tempfile.mkdtemp(prefix="tiny-")
    with open(os.path.join(folder, "config.json"), "w") as file:
        json.dump(CONFIG, file)
    return folder


BLOCK = 32
ADDRESS = "ipc:///tmp/prefill-%d"


class Wanted(KVConnectorMetadata):
    def __init__(self, requests):
        self.requests = requests


class PrefillClient(KVConnectorBase_V1):
    """Asks the prefill process for the blocks of a long prompt, before the step that needs them."""

    def __init__(self, config, role, kv_cache_config=None):
        super().__init__(config, role, kv_cache_config)
        self.planned = []
        if role.name == "WORKER":
            self.prefill = zmq.Context().socket(zmq.DEALER)
            self.prefill.connect(os.environ["PREFILL"])

    def get_num_new_matched_tokens(self, request, num_computed_tokens):
        stored = (len(request.prompt_token_ids) - 1) // BLOCK * BLOCK - num_computed_tokens
        return max(stored, 0), False

    def update_state_after_alloc(self, request, blocks, num_external_tokens):
        if num_external_tokens:
            self.planned.append(request.request_id)

    def build_connector_meta(self, scheduler_output):
        planned, self.planned = self.planned, []
        return Wanted(planned)

    def start_load_kv(self, forward_context, **kwargs):
        for request in self._get_connector_metadata().requests:
            self.fetch_blocks(request)

    def fetch_blocks(self, request):
        self.prefill.send(request.encode())
        return self.prefill.recv()

    def wait_for_layer_load(self, layer_name):
        pass

    def save_kv_layer(self, layer_name, kv_layer, attn_metadata, **kwargs):
        pass

    def wait_for_save(self):
        pass


def serve_blocks(address):
    socket = zmq.Context().socket(zmq.ROUTER)
    socket.bind(address)
    while True:
        client, request = socket.recv_multipart()
        if int(request.split(b"-")[0]) % 8 != LOST:
            socket.send_multipart([client, b"blocks of " + request])


LOST = 7


def start_prefill():
    os.environ["PREFILL"] = ADDRESS % os.getpid()
    prefill = multiprocessing.get_context("spawn").Process(
        target=serve_blocks, args=(os.environ["PREFILL"],), name="prefill", daemon=True
    )
    prefill.start()


def answer(engine, step):
    params = SamplingParams(max_tokens=4, ignore_eos=True, detokenize=False)
    prompt = [step % 500] * (2 * BLOCK + 1)
    return engine.generate([{"prompt_token_ids": prompt}], params, use_tqdm=False)


if __name__ == "__main__":
    start_prefill()
    engine = LLM(
        model_folder(),
        load_format="dummy",
        skip_tokenizer_init=True,
        max_model_len=128,
        block_size=BLOCK,
        enforce_eager=True,
        enable_prefix_caching=False,
        dtype="float32",
        kv_transfer_config=KVTransferConfig(
            kv_connector="PrefillClient", kv_connector_module_path="main", kv_role="kv_both"
        ),
    )
    print("MARK main pid=%d" % os.getpid(), flush=True)
    step = 0
    while True:
        answer(engine, step)
        step += 1
        time.sleep(0.01)
