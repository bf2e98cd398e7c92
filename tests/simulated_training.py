"""One training step of a small transformer, on one device and on simulated devices that hold parts of it.

Attention is not causal, experts are chosen by a fixed rule, the loss is linear in the logits, norms are their gain
alone: none of it changes what devices send each other. Pipelines and ZeRO are not simulated.
"""

import torch
from simulated_cluster import AllToAll, Cluster, ContextAttention, Copy, Gather, GatherLinear, Scatter, Sum, attend

from p2smt.problem.transformer.model import micro_batches


def random_weights(model, seed=0):
    """All weights by name; (in, out) matrices."""
    torch.manual_seed(seed)
    return {name: torch.randn(*shape, dtype=torch.float64) / shape[0] ** 0.5 for name, shape in _shapes(model).items()}


def _shapes(model):
    h, queries, keys = model.hidden, model.heads * model.head_size, model.kv_heads * model.head_size
    shapes = {"embedding": (model.vocabulary, h), "output": (h, model.vocabulary), "norm": (h,)}

    def feed_forward(name, ffn):
        inward = {f"{name}.gate": (h, ffn), f"{name}.up": (h, ffn)}
        return (inward if model.gated else {f"{name}.up": (h, ffn)}) | {f"{name}.down": (ffn, h)}

    for layer in range(model.layers):
        shapes |= {f"{layer}.norm1": (h,), f"{layer}.norm2": (h,), f"{layer}.q": (h, queries)}
        shapes |= {f"{layer}.k": (h, keys), f"{layer}.v": (h, keys), f"{layer}.o": (queries, h)}
        if not model.has_experts(layer):
            shapes |= feed_forward(f"{layer}.ffn", model.ffn)
            continue
        shapes[f"{layer}.router"] = (h, model.experts.count)
        for expert in range(model.experts.count):
            shapes |= feed_forward(f"{layer}.expert{expert}", model.experts.ffn)
        if model.experts.shared:
            shapes |= feed_forward(f"{layer}.shared", model.experts.shared * model.experts.ffn)
    return shapes


def is_whole(name):
    """Whether tensor-parallel devices all have the whole of it."""
    return "norm" in name or name.endswith("router")


def feed_forward(weights, name, x):
    """The feed-forward part of this name, of weights that are on the device."""
    inner = torch.tanh(x @ weights.get(f"{name}.gate", weights[f"{name}.up"]))
    return (inner * (x @ weights[f"{name}.up"]) if f"{name}.gate" in weights else inner) @ weights[f"{name}.down"]


def on_one_device(model, weights, tokens, targets, chosen):
    """The gradients of the whole batch; `chosen` are the experts of every token."""
    weights = {name: weight.clone().requires_grad_() for name, weight in weights.items()}
    x = weights["embedding"][tokens]
    for layer in range(model.layers):
        normed = x * weights[f"{layer}.norm1"]
        q, k, v = (
            (normed @ weights[f"{layer}.{name}"]).unflatten(-1, (-1, model.head_size)).transpose(0, 1) for name in "qkv"
        )
        x = x + attend(q, torch.cat([k, v], 2)).transpose(0, 1).flatten(2) @ weights[f"{layer}.o"]
        normed = x * weights[f"{layer}.norm2"]
        if not model.has_experts(layer):
            x = x + feed_forward(weights, f"{layer}.ffn", normed)
            continue
        gates = torch.sigmoid(normed @ weights[f"{layer}.router"])
        added = feed_forward(weights, f"{layer}.shared", normed) if model.experts.shared else torch.zeros_like(x)
        for expert in range(model.experts.count):
            often = (chosen == expert).sum(-1, keepdim=True)
            weighed = often * gates[..., expert : expert + 1]
            added = added + weighed * feed_forward(weights, f"{layer}.expert{expert}", normed)
        x = x + added
    ((x * weights["norm"]) @ weights["output"] * targets).sum().backward()
    return {name: weight.grad for name, weight in weights.items()}


class Training:
    """One step on the devices of a parallelism; `cluster.log` counts what they do together."""

    def __init__(self, model, parallelism):
        self.model, self.cut, self.cluster = model, parallelism, Cluster(parallelism)
        self.rows = model.sequence // parallelism.cp * model.micro_batch
        self.local = self.rows // (parallelism.tp if parallelism.sequence_parallel else 1)

    def chosen(self):
        """The experts of every token of the batch: those of a device's rows go round all experts."""
        model, positions = self.model, self.model.sequence // self.cut.cp
        places, numbers = torch.arange(model.sequence), torch.arange(model.batch)[:, None]
        rows = places % positions * model.micro_batch + numbers % model.micro_batch
        return self._experts_of(rows % self.local)

    def _experts_of(self, rows):
        count, per_token = self.model.experts.count, self.model.experts.per_token
        return (rows[..., None] * per_token + torch.arange(per_token)) % count

    def part(self, name, weight, device):
        """A device's part of a weight, None if it has none of it."""
        _, ep, _, tp = device
        if ".expert" in name:
            expert = int(name.split(".expert")[1].split(".")[0])
            if expert * self.cut.ep // self.model.experts.count != ep:
                return None
        if is_whole(name):
            return weight
        along = 0 if name == "embedding" or name.endswith((".o", ".down")) else 1
        return weight.chunk(self.cut.tp, along)[tp]

    def gradients(self, weights, tokens, targets):
        """Per device, the gradients of its parts after all reductions."""
        self.weights = {}
        for device in self.cluster.devices:
            parts = {name: self.part(name, weight, device) for name, weight in weights.items()}
            self.weights[device] = {k: v.clone().requires_grad_() for k, v in parts.items() if v is not None}
        for step in range(micro_batches(self.model, self.cut)):
            self._micro_batch(step, tokens, targets)
        self._reduce(lambda name: is_whole(name) and self.cut.sequence_parallel, ("tp",))
        self._reduce(lambda name: ".expert" not in name, ("dp", "ep", "cp"))
        self._reduce(lambda name: ".expert" in name, ("dp", "cp"))
        return {d: {name: part.grad for name, part in parts.items()} for d, parts in self.weights.items()}

    def _reduce(self, which, over):
        chosen = self.cluster.each(lambda own: [part for name, part in own.items() if which(name)], self.weights)
        if not all(chosen.values()):
            return
        flat = self.cluster.each(lambda parts: torch.cat([part.grad.flatten() for part in parts]), chosen)
        for device, whole in self.cluster.together(Sum, over, flat).items():
            sizes = [part.numel() for part in chosen[device]]
            for part, grad in zip(chosen[device], whole.split(sizes), strict=True):
                part.grad = grad.view_as(part)

    def _micro_batch(self, step, tokens, targets):
        mine, positions = {}, self.model.sequence // self.cut.cp
        for device in self.cluster.devices:
            dp, ep, cp, tp = device
            replica = dp * self.cut.ep + ep
            first = (replica * micro_batches(self.model, self.cut) + step) * self.model.micro_batch
            here = (slice(first, first + self.model.micro_batch), slice(cp * positions, (cp + 1) * positions))
            goal = targets[here].chunk(self.cut.tp, -1)[tp]
            mine[device] = (tokens[here].T.flatten(), goal.transpose(0, 1).flatten(0, 1), tp)
        x = self._embedded(mine)
        for layer in range(self.model.layers):
            x = self._plus(x, self._attention(f"{layer}", self._times(x, f"{layer}.norm1")))
            normed = self._times(x, f"{layer}.norm2")
            if not self.model.has_experts(layer):
                x = self._plus(x, self._feed_forward(f"{layer}.ffn", normed))
                continue
            x = self._plus(x, self._experts(f"{layer}", normed))
            if self.model.experts.shared:
                x = self._plus(x, self._feed_forward(f"{layer}.shared", normed))
        logits = self._column(self._times(x, "norm"), "output")
        sum((logits[device] * goal).sum() for device, (_, goal, _) in mine.items()).backward()

    def _plus(self, x, y):
        return self.cluster.each(torch.add, x, y)

    def _times(self, x, name):
        return self.cluster.each(lambda x, own: x * own[name], x, self.weights)

    def _column(self, x, *names):
        weights = self.cluster.each(lambda own: torch.cat([own[name] for name in names], 1), self.weights)
        if self.cut.sequence_parallel:
            return self.cluster.together(GatherLinear, ("tp",), x, weights)
        return self.cluster.each(torch.matmul, self.cluster.together(Copy, ("tp",), x), weights)

    def _row(self, x, name):
        partial = self.cluster.each(lambda x, own: x @ own[name], x, self.weights)
        return self.cluster.together(Scatter if self.cut.sequence_parallel else Sum, ("tp",), partial)

    def _embedded(self, mine):
        count = self.model.vocabulary // self.cut.tp

        def partial(mine, own):
            found = torch.nn.functional.one_hot(mine[0], self.model.vocabulary).double()
            return found[:, mine[2] * count : (mine[2] + 1) * count] @ own["embedding"]

        rows = self.cluster.each(partial, mine, self.weights)
        return self.cluster.together(Scatter if self.cut.sequence_parallel else Sum, ("tp",), rows)

    def _attention(self, layer, x):
        size, heads = self.model.head_size, self.model.heads // self.cut.tp
        both = self._column(x, f"{layer}.q", f"{layer}.k", f"{layer}.v")
        shaped = self.cluster.each(lambda y: y.view(-1, self.model.micro_batch, y.shape[1] // size, size), both)
        queries, keys = (
            self.cluster.each(lambda y, part=part: y[:, :, part], shaped) for part in (slice(heads), slice(heads, None))
        )
        out = self.cluster.together(ContextAttention, ("cp",), queries, keys)
        return self._row(self.cluster.each(lambda y: y.reshape(self.rows, -1), out), f"{layer}.o")

    def _feed_forward(self, name, x):
        if not self.model.gated:
            return self._row(self.cluster.each(torch.tanh, self._column(x, f"{name}.up")), f"{name}.down")
        both = self.cluster.each(lambda y: y.chunk(2, 1), self._column(x, f"{name}.gate", f"{name}.up"))
        return self._row(self.cluster.each(lambda pair: torch.tanh(pair[0]) * pair[1], both), f"{name}.down")

    def _experts(self, layer, x):
        experts = self._experts_of(torch.arange(self.local)).flatten()
        order = experts.argsort(stable=True)
        rows, experts = order // self.model.experts.per_token, experts[order]
        x_sent = self.cluster.each(lambda x: x[rows], x)
        taken = self.cluster.together(Gather, ("tp",), self.cluster.together(AllToAll, ("ep",), x_sent))
        done = self.cluster.each(lambda x, own: self._worked_on(layer, x, own), taken, self.weights)
        back = self.cluster.together(AllToAll, ("ep",), self.cluster.together(Scatter, ("tp",), done))

        def combined(x, y, own):
            gates = torch.sigmoid(x @ own[f"{layer}.router"])[rows, experts]
            return torch.zeros_like(x).index_add(0, rows, y * gates[:, None])

        return self.cluster.each(combined, x, back, self.weights)

    def _worked_on(self, layer, x, own):
        names = [
            name.removesuffix(".up") for name in own if name.startswith(f"{layer}.expert") and name.endswith(".up")
        ]
        senders = self.cut.tp * self.cut.ep
        by_expert = x.view(senders, len(names), -1, x.shape[1])
        results = [feed_forward(own, name, by_expert[:, number]) for number, name in enumerate(names)]
        return torch.stack(results, 1).flatten(0, 2)
