import json
import os
import tempfile
import threading
from multiprocessing.connection import Client, Listener

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
from vllm.v1.sample.logits_processor import LogitsProcessor

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


class PolicyProcessor(LogitsProcessor):
    def __init__(self, config, device, is_pin_memory):
        self.policy = Client(os.environ["POLICY_SOCKET"])

    def is_argmax_invariant(self):
        return False

    def update_state(self, update):
        pass

    def banned_tokens(self):
        self.policy.send("banned")
        return self.policy.recv()

    def apply(self, logits):
        logits[:, self.banned_tokens()] = float("-inf")
        return logits


POLICY = threading.Lock()
BANNED = [7]


def answer_engine(listener):
    while True:
        with listener.accept() as engine:
            try:
                while engine.recv():
                    with POLICY:
                        banned = list(BANNED)
                    engine.send(banned)
            except EOFError:
                pass


def draft(llm, round_number):
    params = SamplingParams(max_tokens=4, ignore_eos=True, detokenize=False)
    with POLICY:
        BANNED[:] = [7, round_number % 512]
    return llm.generate({"prompt_token_ids": [1, 2, 3]}, params, use_tqdm=False)


def open_policy():
    address = os.path.join(tempfile.mkdtemp(prefix="policy-"), "socket")
    os.environ["POLICY_SOCKET"] = address
    threading.Thread(
        target=answer_engine, args=(Listener(address),), name="policy", daemon=True
    ).start()


def main():
    open_policy()
    llm = LLM(
        model_folder(),
        load_format="dummy",
        skip_tokenizer_init=True,
        max_model_len=128,
        enforce_eager=True,
        dtype="float32",
        logits_processors=[PolicyProcessor],
    )
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        draft(llm, number)
        number += 1


if __name__ == "__main__":
    main()
