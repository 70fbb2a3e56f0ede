"""A server of vLLM with two workers, and its clients, for some seconds: MODE, SECONDS, CLIENTS.

The model is a tiny one with random weights, made on first use beside the environment.
"""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import ready

CLIENTS = {"idle": 0, "busy": 6, "streams": 2}[sys.argv[1]]
SECONDS = float(sys.argv[2])
VENV = os.path.dirname(os.path.dirname(sys.executable))
MODEL = os.path.join(VENV, "tiny")
TEXT = "the quick brown fox jumps over the lazy dog "


def make_model():
    """Two layers, four hundred tokens."""
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    words = Tokenizer(models.BPE())
    words.pre_tokenizer = pre_tokenizers.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    special = ["<s>", "</s>", "<pad>"]
    words.train_from_iterator(
        [TEXT * 50],
        trainers.BpeTrainer(vocab_size=400, special_tokens=special, initial_alphabet=alphabet),
    )
    PreTrainedTokenizerFast(
        tokenizer_object=words, bos_token="<s>", eos_token="</s>", pad_token="<pad>"
    ).save_pretrained(MODEL)
    layers = LlamaConfig(
        vocab_size=512, hidden_size=256, intermediate_size=512, num_hidden_layers=2,
        num_attention_heads=8, num_key_value_heads=8, head_dim=32,
        max_position_embeddings=1024, bos_token_id=0, eos_token_id=1,
    )  # fmt: skip
    LlamaForCausalLM(layers).save_pretrained(MODEL)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


PORT = free_port()


def get(path, body=None, timeout=100):
    url = "http://127.0.0.1:%d%s" % (PORT, path)
    request = urllib.request.Request(
        url, data=body and json.dumps(body).encode(), headers={"content-type": "application/json"}
    )
    return urllib.request.urlopen(request, timeout=timeout).read()


def ask(tokens, stream=False):
    body = {"model": "tiny", "prompt": "the quick", "max_tokens": tokens, "ignore_eos": True}
    try:
        return get("/v1/completions", dict(body, stream=stream))
    except OSError:
        return None


def keep_asking(stream, until):
    while time.monotonic() < until:
        ask(60, stream)


def main():
    if not os.path.exists(MODEL):
        make_model()
    environment = dict(
        os.environ, VLLM_CPU_KVCACHE_SPACE="1", HF_HUB_OFFLINE="1", VLLM_NO_USAGE_STATS="1",
        VLLM_CPU_OMP_THREADS_BIND="nobind", OMP_NUM_THREADS="1",
    )  # fmt: skip
    command = [os.path.join(VENV, "bin", "vllm"), "serve", MODEL, "--served-model-name", "tiny"]
    command += ["--tensor-parallel-size", "2", "--max-model-len", "512", "--enforce-eager"]
    command += ["--dtype", "float32", "--port", str(PORT)]
    server = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL)
    while ask(8) is None:
        if server.poll() is not None:
            sys.exit("the server ended")
        time.sleep(0.5)
    until, clients = time.monotonic() + SECONDS, []
    for number in range(CLIENTS):
        streams = sys.argv[1] == "streams" or number % 2 == 0
        clients.append(threading.Thread(target=keep_asking, args=(streams, until), daemon=True))
        clients[-1].start()
    ready.ready()
    time.sleep(SECONDS)
    # vLLM kills its engine when it is told to end, and then waits for streams that are still open.
    for client in clients:
        client.join()
    server.send_signal(signal.SIGINT)
    sys.exit(server.wait())


if __name__ == "__main__":
    main()
