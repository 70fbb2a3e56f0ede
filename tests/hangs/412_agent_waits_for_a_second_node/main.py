import os

from torch.distributed.run import main


def launch(nodes):
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "train.py")
    main(
        [
            f"--nnodes={nodes}",
            "--nproc-per-node=2",
            "--rdzv-backend=c10d",
            "--rdzv-endpoint=localhost:0",
            "--rdzv-id=nightly",
            script,
        ]
    )


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid(), flush=True)
    launch(2)
