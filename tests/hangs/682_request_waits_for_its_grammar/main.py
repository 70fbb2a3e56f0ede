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
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast
from vllm import LLM, SamplingParams
from vllm.sampling_params import StructuredOutputsParams

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
    "bos_token_id": 0,
    "eos_token_id": 1,
    "torch_dtype": "float32",
}


def model_folder():
    folder = tempfile.mkdtemp(prefix="tiny-")
    with open(os.path.join(folder, "config.json"), "w") as file:
        json.dump(CONFIG, file)
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    words = {word: number for number, word in enumerate(["<s>", "</s>", *alphabet])}
    tokenizer = Tokenizer(models.BPE(words, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", eos_token="</s>"
    ).save_pretrained(folder)
    return folder


def order_schema(depth):
    schema = {"type": "string"}
    for level in range(depth):
        schema = {
            "oneOf": [
                {
                    "type": "object",
                    "properties": {"%s%d" % (name, level): schema},
                    "required": ["%s%d" % (name, level)],
                }
                for name in ("part", "set", "kit")
            ]
        }
    return schema


def fill_order(llm, schema):
    params = SamplingParams(
        max_tokens=8, structured_outputs=StructuredOutputsParams(json=json.dumps(schema))
    )
    return llm.generate("order: a chair", params, use_tqdm=False)


def main(depth):
    llm = LLM(
        model_folder(),
        load_format="dummy",
        max_model_len=128,
        enforce_eager=True,
        dtype="float32",
        structured_outputs_config={"backend": "xgrammar"},
    )
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        fill_order(llm, order_schema(depth))


if __name__ == "__main__":
    main(9)
