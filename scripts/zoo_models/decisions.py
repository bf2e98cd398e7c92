"""Reinforcement learning, and graphs by dense matrices or lists of edges."""

from collections.abc import Callable, Iterator

import torch
from torch import nn
from torch.nn import functional

from zoo_models.small_parts import ROWS, Net, mlp
from zoo_models.training import CLASSES, Step, trained


def actor_critic():
    def loss(net, states, actions, returns):
        h = functional.relu(net.body(states))
        policy = torch.distributions.Categorical(logits=net.actor(h))
        value = net.critic(h).squeeze(-1)
        return (
            -(policy.log_prob(actions) * (returns - value).detach()).mean()
            + functional.smooth_l1_loss(value, returns)
            - 0.01 * policy.entropy().mean()
        )

    net = Net(None, body=nn.Linear(4, 16), actor=nn.Linear(16, 2), critic=nn.Linear(16, 1))
    return trained(
        net,
        {"states": torch.randn(ROWS, 4), "actions": torch.randint(0, 2, (ROWS,)), "returns": torch.randn(ROWS)},
        loss,
    )


def ppo():
    def loss(net, states, actions, before, gains):
        policy = torch.distributions.Normal(net.mean(states), net.log_std.exp())
        ratio = (policy.log_prob(actions).sum(-1) - before).exp()
        return -torch.min(ratio * gains, ratio.clamp(0.8, 1.2) * gains).mean() - 0.01 * policy.entropy().sum(-1).mean()

    net = Net(None, mean=mlp(4, 16, 2), log_std=nn.Parameter(torch.zeros(2)))
    return trained(
        net,
        {
            "states": torch.randn(ROWS, 4),
            "actions": torch.randn(ROWS, 2),
            "before": torch.randn(ROWS),
            "gains": torch.randn(ROWS),
        },
        loss,
    )


def dqn():
    def loss(net, states, actions, rewards, following, done):
        with torch.no_grad():
            best = net.online(following).argmax(1, keepdim=True)
            target = rewards + 0.99 * (1 - done) * net.target(following).gather(1, best).squeeze(1)
        found = net.online(states).gather(1, actions[:, None]).squeeze(1)
        return functional.huber_loss(found, target)

    net = Net(None, online=mlp(4, 16, 3), target=mlp(4, 16, 3).requires_grad_(False))
    return trained(
        net,
        {
            "states": torch.randn(ROWS, 4),
            "actions": torch.randint(0, 3, (ROWS,)),
            "rewards": torch.randn(ROWS),
            "following": torch.randn(ROWS, 4),
            "done": torch.randint(0, 2, (ROWS,)).float(),
        },
        loss,
    )


def sac():
    def loss(net, states):
        mean, log_std = net.actor(states).chunk(2, -1)
        policy = torch.distributions.Normal(mean, log_std.clamp(-5, 2).exp())
        raw = policy.rsample()
        action = torch.tanh(raw)
        log_p = (policy.log_prob(raw) - torch.log(1 - action.pow(2) + 1e-6)).sum(-1)
        return (
            0.2 * log_p
            - torch.min(net.q1(torch.cat([states, action], -1)), net.q2(torch.cat([states, action], -1))).squeeze(-1)
        ).mean()

    net = Net(None, actor=mlp(4, 16, 4), q1=mlp(6, 16, 1).requires_grad_(False), q2=mlp(6, 16, 1).requires_grad_(False))
    return trained(net, {"states": torch.randn(ROWS, 4)}, loss)


def gcn():
    def forward(net, x, edges):
        full = edges + torch.eye(edges.shape[0])
        d = full.sum(1).clamp(min=1).pow(-0.5)
        full = d[:, None] * full * d
        return (full @ net.two(functional.relu(full @ net.one(x)))).log_softmax(1)

    return trained(
        Net(forward, one=nn.Linear(6, 8), two=nn.Linear(8, CLASSES)),
        {"x": torch.randn(9, 6), "edges": torch.randint(0, 2, (9, 9)).float(), "y": torch.randint(0, CLASSES, (9,))},
        lambda m, x, edges, y: functional.nll_loss(m(x, edges), y),
    )


def gat():
    def forward(net, x, edges):
        h = net.w(x).view(len(x), 2, 4)
        score = functional.leaky_relu((h * net.left).sum(-1)[:, None] + (h * net.right).sum(-1)[None], 0.2)
        score = score.masked_fill(edges[..., None] == 0, float("-inf")).softmax(1)
        return net.out(functional.elu(torch.einsum("ijh,jhd->ihd", score, h).flatten(1)))

    net = Net(
        forward,
        w=nn.Linear(6, 8),
        left=nn.Parameter(torch.randn(2, 4)),
        right=nn.Parameter(torch.randn(2, 4)),
        out=nn.Linear(8, CLASSES),
    )
    return trained(
        net,
        {"x": torch.randn(9, 6), "edges": torch.ones(9, 9), "y": torch.randint(0, CLASSES, (9,))},
        lambda m, x, edges, y: functional.cross_entropy(m(x, edges), y),
    )


def message_passing():
    def forward(net, x, source, target):
        for layer in net.layers:
            sent = layer(torch.cat([x[source], x[target]], 1)).relu()
            x = net.mix(x + torch.zeros(len(x), 6).index_add_(0, target, sent))
        return net.head(x.mean(0))

    net = Net(
        forward, layers=nn.ModuleList(nn.Linear(12, 6) for _ in range(2)), mix=nn.Linear(6, 6), head=nn.Linear(6, 1)
    )
    return trained(
        net,
        {
            "x": torch.randn(7, 6),
            "source": torch.randint(0, 7, (12,)),
            "target": torch.randint(0, 7, (12,)),
            "y": torch.randn(1),
        },
        lambda m, x, source, target, y: functional.mse_loss(m(x, source, target), y),
    )


def pointnet():
    def forward(net, x):
        x = torch.bmm(net.turn(x.transpose(1, 2)).amax(2).view(-1, 3, 3) + torch.eye(3), x.transpose(1, 2))
        return net.head(net.body(x).max(2).values)

    net = Net(
        forward,
        turn=nn.Conv1d(3, 9, 1),
        body=nn.Sequential(nn.Conv1d(3, 8, 1), nn.BatchNorm1d(8), nn.ReLU(), nn.Conv1d(8, 16, 1)),
        head=nn.Linear(16, CLASSES),
    )
    return trained(
        net,
        {"x": torch.randn(ROWS, 10, 3), "y": torch.randint(0, CLASSES, (ROWS,))},
        lambda m, x, y: functional.cross_entropy(m(x), y),
    )


MODELS = {
    "decisions": (
        actor_critic,
        ppo,
        dqn,
        sac,
    ),
    "graphs": (
        gcn,
        gat,
        message_passing,
        pointnet,
    ),
}


def models() -> Iterator[tuple[str, str, Callable[[], Step]]]:
    """Family, name and step of each."""
    for family, makes in MODELS.items():
        for make in makes:
            yield family, make.__name__, make
