import glob
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


def forget_killed_runs():
    for left in glob.glob("/dev/shm/*tp:0-[[]0-1]-cpushm_*"):
        os.unlink(left)


def start_engine():
    if os.environ["RANK"] == "0":
        forget_killed_runs()
    return LLM(
        model_folder(),
        load_format="dummy",
        skip_tokenizer_init=True,
        tensor_parallel_size=2,
        distributed_executor_backend="external_launcher",
        max_model_len=128,
        enforce_eager=True,
        dtype="float32",
        seed=1,
    )


def generate(engine, prompts):
    params = SamplingParams(max_tokens=8, ignore_eos=True, detokenize=False, temperature=0.0)
    tokens = [{"prompt_token_ids": prompt} for prompt in prompts]
    return engine.generate(tokens, params, use_tqdm=False)


def evaluate(engine):
    return generate(engine, [[7, 8, 9]])


def rollout(engine, step):
    return generate(engine, [[1, 2, 3], [4, 5, step % 500]])


def share_rewards(outputs):
    rewards = [None, None]
    dist.all_gather_object(rewards, len(outputs))
    return rewards


def train(engine):
    step = 0
    while True:
        share_rewards(rollout(engine, step))
        if step % 5 == 4 and dist.get_rank() == 0:
            evaluate(engine)
        step += 1
        time.sleep(0.01)


if __name__ == "__main__":
    engine = start_engine()
    if dist.get_rank() == 0:
        print("MARK main pid=%d" % os.getppid(), flush=True)
    train(engine)
