import os

os.environ["WANDB_SILENT"] = "true"

import time

import torch
import wandb
from torch.utils.data import DataLoader, Dataset, get_worker_info


class Runs(Dataset):
    def __init__(self, api):
        self.api = api

    def __len__(self):
        return 64

    def __getitem__(self, i):
        return torch.ones(4) * i


def forget_api(worker):
    get_worker_info().dataset.api = None


def train_epoch(dataset):
    loader = DataLoader(dataset, batch_size=8, num_workers=2, worker_init_fn=forget_api)
    for batch in loader:
        time.sleep(0.01)


def open_api():
    settings = wandb.Settings(api_key="0" * 40, base_url="http://127.0.0.1:9")
    api = wandb.apis.public.service_api.ServiceApi(settings)
    api._get_service_connection()
    return api


if __name__ == "__main__":
    runs = Runs(None)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        train_epoch(runs)
