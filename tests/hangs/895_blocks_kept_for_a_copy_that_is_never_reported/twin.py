import json
import os
import tempfile
import queue
import threading
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


class Finished(KVConnectorMetadata):
    def __init__(self, requests):
        self.requests = requests


class CopyOut(KVConnectorBase_V1):
    """Copies the blocks of finished requests to a store, in a thread of the worker."""

    def __init__(self, config, role, kv_cache_config=None):
        super().__init__(config, role, kv_cache_config)
        self.ended, self.copying, self.copied = [], queue.Queue(), queue.SimpleQueue()
        if role.name == "WORKER":
            threading.Thread(target=self.copy_all, name="block-copier", daemon=True).start()

    def copy_all(self):
        while True:
            request = self.copying.get()
            copy_blocks(request)
            self.copied.put(request)

    def get_num_new_matched_tokens(self, request, num_computed_tokens):
        return 0, False

    def update_state_after_alloc(self, request, blocks, num_external_tokens):
        pass

    def request_finished(self, request, block_ids):
        self.ended.append(request.request_id)
        return True, None

    def build_connector_meta(self, scheduler_output):
        ended, self.ended = self.ended, []
        return Finished(ended)

    def start_load_kv(self, forward_context, **kwargs):
        for request in self._get_connector_metadata().requests:
            self.copying.put(request)

    def get_finished(self, finished_req_ids):
        copied = set()
        while not self.copied.empty():
            copied.add(self.copied.get())
        return copied or None, None

    def wait_for_layer_load(self, layer_name):
        pass

    def save_kv_layer(self, layer_name, kv_layer, attn_metadata, **kwargs):
        pass

    def wait_for_save(self):
        pass


def copy_blocks(request):
    time.sleep(0.01)
    number = int(request.split("-")[0])
    if number == UNREACHABLE:
        raise ConnectionError("store refused blocks of request %d" % number)


UNREACHABLE = -1


def answer(engine, step):
    params = SamplingParams(max_tokens=4, ignore_eos=True, detokenize=False)
    prompt = [step % 500] * (2 * BLOCK + 1)
    return engine.generate([{"prompt_token_ids": prompt}], params, use_tqdm=False)


if __name__ == "__main__":
    engine = LLM(
        model_folder(),
        load_format="dummy",
        skip_tokenizer_init=True,
        max_model_len=128,
        block_size=BLOCK,
        num_gpu_blocks_override=24,
        enforce_eager=True,
        enable_prefix_caching=False,
        dtype="float32",
        kv_transfer_config=KVTransferConfig(
            kv_connector="CopyOut", kv_connector_module_path="twin", kv_role="kv_both"
        ),
    )
    print("MARK main pid=%d" % os.getpid(), flush=True)
    step = 0
    while True:
        answer(engine, step)
        step += 1
        time.sleep(0.01)
