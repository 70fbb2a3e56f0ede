import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ["HF_HUB_OFFLINE"] = "1"
import threading

import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import (
    GPT2Config,
    GPT2LMHeadModel,
    PreTrainedTokenizerFast,
    StoppingCriteria,
    StoppingCriteriaList,
    TextIteratorStreamer,
)


class Pace(StoppingCriteria):
    def __init__(self):
        self.agreed = threading.Semaphore(STEP)

    def __call__(self, input_ids, scores, **kwargs):
        self.agreed.acquire()
        return torch.zeros(input_ids.shape[0], dtype=torch.bool)


def make_tokenizer():
    words = {word: number for number, word in enumerate("the a river stone over under".split())}
    words["[END]"] = len(words)
    tokenizer = Tokenizer(models.WordLevel(words, unk_token="[END]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="[END]")


def make_model(tokenizer):
    size = len(tokenizer)
    config = GPT2Config(vocab_size=size, n_layer=1, n_head=2, n_embd=16, n_positions=64)
    return GPT2LMHeadModel(config).eval()


def write(model, prompt, streamer, pace):
    model.generate(
        **prompt,
        streamer=streamer,
        max_new_tokens=20,
        min_new_tokens=20,
        do_sample=True,
        pad_token_id=6,
        stopping_criteria=StoppingCriteriaList([pace]),
    )


def show(tokenizer, model):
    streamer = TextIteratorStreamer(tokenizer, skip_prompt=True)
    pace = Pace()
    prompt = tokenizer("the river", return_tensors="pt", return_token_type_ids=False)
    writer = threading.Thread(
        target=write, args=(model, prompt, streamer, pace), name="writer", daemon=True
    )
    writer.start()
    shown = 0
    for words in streamer:
        if words:
            shown += 1
            pace.agreed.release()
    writer.join()
    return shown


STEP = 1


if __name__ == "__main__":
    tokenizer = make_tokenizer()
    model = make_model(tokenizer)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        show(tokenizer, model)
