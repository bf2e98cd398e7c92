import torch

import p2smt

torch.distributed.init_process_group("gloo")  # under torchrun: a process for each device
torch.manual_seed(0)  # all ranks have the same batches
model = torch.nn.Sequential(torch.nn.Linear(32, 256), torch.nn.GELU(), torch.nn.Linear(256, 8))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-2)
batch = torch.randn(16, 32), torch.randint(0, 8, (16,))
loss = lambda module, x, labels: torch.nn.functional.cross_entropy(module(x), labels)  # noqa: E731
training = p2smt.shard(model, loss, batch, "node:1,gpu:2", optimizer=optimizer)
losses = [training.step(batch).item() for _ in range(20)]
model.load_state_dict(training.state_dict()["module"])  # whole, on every rank
torch.distributed.destroy_process_group()
