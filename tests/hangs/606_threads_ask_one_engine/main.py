import json
import os
import tempfile
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


TURN = threading.Lock()


def answer(engine, prompts):
    params = SamplingParams(max_tokens=8, ignore_eos=True, detokenize=False)
    with TURN:
        engine.enqueue([{"prompt_token_ids": prompt} for prompt in prompts], params)
    return engine.wait_for_completion(use_tqdm=False)


def serve(engine, number):
    for step in range(5):
        answer(engine, [[number, step, 3]] * 3)


def serve_all(engine):
    desks = [
        threading.Thread(target=serve, args=(engine, number), name=f"desk-{number}")
        for number in (1, 2)
    ]
    for desk in desks:
        desk.start()
    for desk in desks:
        desk.join()


if __name__ == "__main__":
    engine = LLM(
        model_folder(),
        load_format="dummy",
        skip_tokenizer_init=True,
        max_model_len=128,
        enforce_eager=True,
        dtype="float32",
    )
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        serve_all(engine)
        time.sleep(0.01)
