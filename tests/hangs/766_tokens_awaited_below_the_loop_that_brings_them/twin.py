import json
import os
import tempfile
import asyncio
import itertools
import queue

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


NUMBERS = itertools.count()


async def stream(engine, prompt, parts):
    params = SamplingParams(max_tokens=8, ignore_eos=True, detokenize=False)
    async for output in engine.generate(
        {"prompt_token_ids": prompt}, params, request_id=f"ask-{next(NUMBERS)}"
    ):
        parts.put(output.outputs[0].token_ids)
    parts.put(None)


def join_parts(parts):
    return sum(len(part) for part in iter(parts.get, None))


async def summarize(engine, prompt):
    parts = queue.Queue()
    streaming = asyncio.create_task(stream(engine, prompt, parts))
    await asyncio.sleep(0)
    length = await asyncio.to_thread(join_parts, parts)
    await streaming
    return length


def make_engine():
    return AsyncLLM.from_engine_args(
        AsyncEngineArgs(
            model_folder(),
            load_format="dummy",
            skip_tokenizer_init=True,
            max_model_len=128,
            enforce_eager=True,
            dtype="float32",
        )
    )


async def serve():
    engine = make_engine()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        await summarize(engine, [1, 2, 3])
        await asyncio.sleep(0.05)


if __name__ == "__main__":
    asyncio.run(serve())
