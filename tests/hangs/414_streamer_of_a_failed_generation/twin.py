import os

os.environ["HF_HUB_OFFLINE"] = "1"

import threading
import time

import transformers
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
    TextIteratorStreamer,
)

transformers.logging.set_verbosity_error()
threading.excepthook = lambda arguments: None
WORDS = {word: i for i, word in enumerate(["</s>", "[UNK]", "how", "are", "you", "fine", "thanks"])}
base = Tokenizer(models.WordLevel(WORDS, unk_token="[UNK]"))
base.pre_tokenizer = pre_tokenizers.Whitespace()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=base, eos_token="</s>", pad_token="</s>")
model = LlamaForCausalLM(
    LlamaConfig(
        vocab_size=len(WORDS),
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=2,
        max_position_embeddings=64,
        bos_token_id=0,
        eos_token_id=0,
    )
)


def generate(prompt, streamer):
    inputs = tokenizer(prompt, return_tensors="pt", return_token_type_ids=False)
    model.generate(**inputs, streamer=streamer, max_new_tokens=8, num_beams=1)


def answer(prompt):
    streamer = TextIteratorStreamer(tokenizer, skip_prompt=True)
    threading.Thread(target=generate, args=(prompt, streamer), name="generation").start()
    return "".join(streamer)


print("MARK main pid=%d" % os.getpid(), flush=True)
while True:
    answer("how are you")
    time.sleep(0.02)
