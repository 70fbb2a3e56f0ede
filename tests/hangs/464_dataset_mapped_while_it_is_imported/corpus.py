from datasets import Dataset, disable_progress_bars

disable_progress_bars()


def length(row):
    return {"length": len(row["text"])}


def prepare():
    rows = Dataset.from_list([{"text": "row %d" % number} for number in range(100)])
    return rows.map(length, num_proc=2)


ROWS = prepare()
