import asyncio
import itertools
import json
import os
import queue
import tempfile
import threading

os.environ.update(
    VLLM_CPU_KVCACHE_SPACE="1",
    VLLM_CPU_OMP_THREADS_BIND="nobind",
    OMP_NUM_THREADS="1",
    HF_HUB_OFFLINE="1",
    VLLM_NO_USAGE_STATS="1",
    VLLM_LOGGING_LEVEL="ERROR",
    VLLM_WORKER_MULTIPROC_METHOD="spawn",
)
from vllm import AsyncEngineArgs, SamplingParams
from vllm.v1.engine.async_llm import AsyncLLM
from vllm.v1.metrics.loggers import StatLoggerBase

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


RECORDS = queue.Queue(maxsize=16)
NUMBERS = itertools.count()


def export_all():
    for number, record in enumerate(iter(RECORDS.get, None)):
        export(number, record)


def export(number, record):
    if number == LIMIT:
        raise ConnectionError("the collector is gone")


class Exporter(StatLoggerBase):
    def __init__(self, vllm_config, engine_index=0):
        self.engine = engine_index

    def record(self, scheduler_stats, iteration_stats, mm_cache_stats=None, engine_idx=0):
        if scheduler_stats is not None:
            RECORDS.put((engine_idx, scheduler_stats.num_running_reqs))

    def log_engine_initialized(self):
        pass


LIMIT = -1


async def answer(engine, prompt):
    params = SamplingParams(max_tokens=8, ignore_eos=True, detokenize=False)
    request = f"ask-{next(NUMBERS)}"
    async for output in engine.generate({"prompt_token_ids": prompt}, params, request_id=request):
        pass
    return output.outputs[0].token_ids


def make_engine():
    return AsyncLLM.from_engine_args(
        AsyncEngineArgs(
            model_folder(),
            load_format="dummy",
            skip_tokenizer_init=True,
            max_model_len=128,
            enforce_eager=True,
            dtype="float32",
        ),
        stat_loggers=[Exporter],
    )


async def serve():
    engine = make_engine()
    threading.Thread(target=export_all, name="exporter", daemon=True).start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await answer(engine, [1, 2, 3])
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    asyncio.run(serve())
