import json
import os
import tempfile
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
import torch.distributed as dist
from vllm import LLM, SamplingParams

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


class SharedWeights:
    def load_shared_weights(self, step):
        if self.rank == 0:
            self.read_weights(step)

    def read_weights(self, step):
        time.sleep(0.02)
        if step % 5 == 4:
            dist.barrier()


def refresh(engine, step):
    return engine.collective_rpc("load_shared_weights", args=(step,))


def generate(engine):
    params = SamplingParams(max_tokens=4, ignore_eos=True, detokenize=False)
    return engine.generate([{"prompt_token_ids": [1, 2, 3]}], params, use_tqdm=False)


if __name__ == "__main__":
    engine = LLM(
        model_folder(),
        load_format="dummy",
        skip_tokenizer_init=True,
        tensor_parallel_size=2,
        max_model_len=128,
        enforce_eager=True,
        dtype="float32",
        worker_extension_cls="main.SharedWeights",
    )
    print("MARK main pid=%d" % os.getpid(), flush=True)
    step = 0
    while True:
        refresh(engine, step)
        generate(engine)
        step += 1
        time.sleep(0.05)
