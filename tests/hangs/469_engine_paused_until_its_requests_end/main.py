import asyncio
import json
import os
import tempfile

os.environ.update(
    VLLM_CPU_KVCACHE_SPACE="1",
    VLLM_CPU_OMP_THREADS_BIND="nobind",
    OMP_NUM_THREADS="1",
    HF_HUB_OFFLINE="1",
    VLLM_NO_USAGE_STATS="1",
    VLLM_LOGGING_LEVEL="ERROR",
    VLLM_WORKER_MULTIPROC_METHOD="spawn",
)
from vllm import SamplingParams
from vllm.engine.arg_utils import AsyncEngineArgs
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


async def rollout(engine, number):
    params = SamplingParams(max_tokens=100, ignore_eos=True, detokenize=False)
    async for output in engine.generate(
        {"prompt_token_ids": [1, 2, 3]}, params, request_id="rollout-%d" % number
    ):
        pass
    return output


async def drain(running):
    await asyncio.gather(*running)


async def update_weights(engine, running):
    await engine.pause_generation(mode="keep")
    await drain(running)
    await engine.resume_generation()


async def train():
    engine = AsyncLLM.from_engine_args(
        AsyncEngineArgs(
            model_folder(),
            load_format="dummy",
            skip_tokenizer_init=True,
            max_model_len=128,
            enforce_eager=True,
            dtype="float32",
        )
    )
    print("MARK main pid=%d" % os.getpid(), flush=True)
    number = 0
    while True:
        running = []
        for _ in range(4):
            number += 1
            running.append(asyncio.create_task(rollout(engine, number), name="rollout"))
        await asyncio.sleep(0.05)
        await update_weights(engine, running)


if __name__ == "__main__":
    asyncio.run(train())
