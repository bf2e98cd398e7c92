"""Functions as people shard them by hand with JAX, right and with the faults that people make; needs jax.

A case is a function for one device, what each device does instead (a shard_map's body, told which fault to make), the
shapes of what is given, and how it and the results are cut along a mesh. Parameters of the other program are all
arguments, in order.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import jax
import jax.numpy as jnp
from jax import lax
from jax.sharding import PartitionSpec as P

jax.config.update("jax_enable_x64", True)
RIGHT = ""


@dataclass(frozen=True, kw_only=True)
class Case:
    """`specs` has the specs of results that a fault hands on in another way."""

    single: Callable
    body: Callable
    shapes: tuple[tuple[int, ...], ...]
    given: tuple[P, ...]
    results: object
    faults: tuple[str, ...] = ()
    mesh: tuple[tuple[str, int], ...] = (("x", 4),)
    specs: dict[str, object] = field(default_factory=dict)


TWO = (("data", 2), ("model", 2))


def mlp(x, w1, w2):
    return jax.nn.relu(x @ w1) @ w2


def _row(fault, axis="x"):
    match fault:
        case "no sum":
            return lambda y: y
        case "mean":
            return lambda y: lax.pmean(y, axis)
        case "maximum":
            return lambda y: lax.pmax(y, axis)
        case "other axis":
            return lambda y: lax.psum(y, "data")
        case "both axes":
            return lambda y: lax.psum(y, ("data", "model"))
        case _:
            return lambda y: lax.psum(y, axis)


def mlp_body(fault, x, w1, w2):
    return _row(fault)(mlp(x, w1, w2))


def mlp_two_body(fault, x, w1, w2):
    return _row(fault, "model")(mlp(x, w1, w2))


def biased(x, w1, b1, w2, b2):
    return jnp.tanh(x @ w1 + b1) @ w2 + b2


def biased_body(fault, x, w1, b1, w2, b2):
    y = jnp.tanh(x @ w1 + b1) @ w2
    if fault == "bias before":
        return lax.psum(y + b2, "x")
    return _row(fault)(y) + b2


def sequence_body(fault, x, w1, w2):
    """Rows of the input on each device: gathered before, scattered after."""
    whole = lax.all_gather(x, "x", axis=0, tiled=True)
    y = jax.nn.gelu(whole @ w1) @ w2
    if fault == "slice alone":
        return lax.dynamic_slice_in_dim(y, lax.axis_index("x") * 2, 2, 0)
    y = lax.psum_scatter(y, "x", scatter_dimension=0, tiled=True)
    return y * 4 if fault == "times ranks" else y


def gelu_mlp(x, w1, w2):
    return jax.nn.gelu(x @ w1) @ w2


def gathered(x, w):
    return jnp.exp(x @ w)


def gathered_body(fault, x, w):
    y = x @ w
    if fault == "gather other dimension":
        return jnp.exp(lax.all_gather(y, "x", axis=0, tiled=True)[:8])
    if fault == "sum":
        return jnp.exp(jnp.concatenate([lax.psum(y, "x")] * 4, axis=1))
    if fault == "order":
        parts = lax.all_gather(y, "x", axis=0)
        return jnp.exp(jnp.concatenate([parts[3], parts[1], parts[2], parts[0]], axis=1))
    return jnp.exp(lax.all_gather(y, "x", axis=1, tiled=True))


def own_slice(x, w):
    return (x @ w) * 2


def own_slice_body(fault, x, w):
    """Everything is whole; every device goes on with its own columns."""
    index = lax.axis_index("x")
    if fault == "next rank's":
        index = (index + 1) % 4
    if fault == "first":
        index = 0
    return (x @ lax.dynamic_slice_in_dim(w, index * 2, 2, 1)) * 2


def loss(w1, w2, x, y):
    return jnp.sum((mlp(x, w1, w2) - y) ** 2) / 32


def gradients(w1, w2, x, y):
    return jax.grad(loss, argnums=(0, 1))(w1, w2, x, y)


def gradients_body(fault, w1, w2, x, y):
    g1, g2 = gradients(w1, w2, x, y)
    if fault == "one not summed":
        return lax.psum(g1, "x"), g2
    return tuple(_row(fault)(each) for each in (g1, g2))


def sgd(w1, w2, x, y):
    value, (g1, g2) = jax.value_and_grad(loss, argnums=(0, 1))(w1, w2, x, y)
    return value, w1 - 0.125 * g1, w2 - 0.125 * g2


def sgd_body(fault, w1, w2, x, y):
    value, (g1, g2) = jax.value_and_grad(loss, argnums=(0, 1))(w1, w2, x, y)
    total = value if fault == "loss not summed" else lax.psum(value, "x")
    sum_ = _row(fault)
    if fault == "sum of parameters":
        return total, lax.psum(w1 - 0.125 * g1, "x"), lax.psum(w2 - 0.125 * g2, "x")
    return total, w1 - 0.125 * sum_(g1), w2 - 0.125 * sum_(g2)


def momentum(w, m, x, y):
    g = jax.grad(lambda w: jnp.sum((jnp.tanh(x @ w) - y) ** 2))(w)
    m = 0.5 * m + g
    return w - 0.25 * m, m


def momentum_body(fault, w, m, x, y):
    g = jax.grad(lambda w: jnp.sum((jnp.tanh(x @ w) - y) ** 2))(w)
    m = lax.psum(0.5 * m + g, "x") if fault == "sum of momentum" else 0.5 * m + _row(fault)(g)
    return w - 0.25 * m, m


def adam(w, m, v, x, y):
    g = jax.grad(lambda w: jnp.sum((x @ w - y) ** 2))(w)
    m, v = 0.5 * m + 0.5 * g, 0.75 * v + 0.25 * g * g
    return w - 0.25 * m / (jnp.sqrt(v) + 0.5), m, v


def adam_body(fault, w, m, v, x, y):
    own = jax.grad(lambda w: jnp.sum((x @ w - y) ** 2))(w)
    g = lax.psum(own, "x")
    squares = lax.psum(own * own, "x") if fault == "squares of parts" else g * g
    m, v = 0.5 * m + 0.5 * (own if fault == "no sum" else g), 0.75 * v + 0.25 * squares
    return w - 0.25 * m / (jnp.sqrt(v) + 0.5), m, v


def fsdp_body(fault, w1, w2, x, y):
    """Parameters are cut, gathered where they are used; their gradients are scattered."""
    whole = [lax.all_gather(w, "x", axis=0, tiled=True) for w in (w1, w2)]
    g1, g2 = gradients(*whole, x, y)
    if fault == "own part of own gradient":
        index = lax.axis_index("x")
        return tuple(lax.dynamic_slice_in_dim(g, index * (len(g) // 4), len(g) // 4, 0) for g in (g1, g2))
    made = tuple(lax.psum_scatter(g, "x", scatter_dimension=0, tiled=True) for g in (g1, g2))
    return tuple(g / 4 for g in made) if fault == "mean" else made


@jax.custom_vjp
def to_model(x):
    return x


to_model.defvjp(lambda x: (x, None), lambda _, g: (lax.psum(g, "model"),))


@jax.custom_vjp
def from_model(x):
    return lax.psum(x, "model")


from_model.defvjp(lambda x: (lax.psum(x, "model"), None), lambda _, g: (g,))


def megatron(x, w1, w2, y):
    def total(x, w1, w2):
        return jnp.sum((jnp.tanh(x @ w1) @ w2 - y) ** 2)

    return jax.value_and_grad(total, argnums=(0, 1, 2))(x, w1, w2)


def megatron_body(fault, x, w1, w2, y):
    enter = (lambda x: x) if fault == "no sum backward" else to_model
    leave = (lambda y: lax.psum(y, "model")) if fault == "sum twice backward" else from_model

    def total(x, w1, w2):
        return jnp.sum((leave(jnp.tanh(enter(x) @ w1) @ w2) - y) ** 2)

    value, (gx, g1, g2) = jax.value_and_grad(total, argnums=(0, 1, 2))(x, w1, w2)
    if fault == "no sum over data":
        return lax.psum(value, "data"), (gx, g1, g2)
    return lax.psum(value, "data"), (gx, lax.psum(g1, "data"), lax.psum(g2, "data"))


def heads(x, wq, wk, wv, wo, scale=0.5):
    """x[B, S, D], w[D, H, K], wo[H, K, D]; a causal mask."""
    q, k, v = (jnp.einsum("bsd,dhk->bhsk", x, w) for w in (wq, wk, wv))
    scores = jnp.einsum("bhsk,bhtk->bhst", q, k) * scale
    length = x.shape[1]
    mask = jnp.arange(length)[:, None] >= jnp.arange(length)[None, :]
    weights = jax.nn.softmax(jnp.where(mask, scores, -1e9), axis=-1)
    return jnp.einsum("bhst,bhtk,hkd->bsd", weights, v, wo)


def heads_body(fault, x, wq, wk, wv, wo):
    return _row(fault, "model")(heads(x, wq, wk, wv, wo, 1.0 if fault == "other scale" else 0.5))


def plain_attention(q, k, v):
    weights = jax.nn.softmax(jnp.einsum("shk,thk->hst", q, k), axis=-1)
    return jnp.einsum("hst,thk->shk", weights, v)


def ulysses_body(fault, q, k, v):
    """Rows of the sequence on each device; heads while attending."""
    q, k, v = (lax.all_to_all(each, "x", split_axis=1, concat_axis=0, tiled=True) for each in (q, k, v))
    if fault == "no exchange back":
        return plain_attention(q, k, v)
    if fault == "exchange other way (right too)":
        y = plain_attention(q, k, v)
        return lax.all_to_all(y, "x", split_axis=0, concat_axis=2, tiled=True).reshape(2, 4, 2)
    return lax.all_to_all(plain_attention(q, k, v), "x", split_axis=0, concat_axis=1, tiled=True)


def same(x):
    return x * 1.5


def exchanged_body(fault, x):
    if fault == "own elements":
        return x.reshape(8, 2) * 1.5
    return lax.all_to_all(x, "x", split_axis=1, concat_axis=0, tiled=True) * 1.5


def cross_entropy(x, w, targets):
    logits = x @ w
    shifted = logits - lax.stop_gradient(jnp.max(logits, axis=1, keepdims=True))
    total = jnp.log(jnp.sum(jnp.exp(shifted), axis=1))
    return jnp.sum(total - jnp.sum(shifted * targets, axis=1)) / 8


def cross_entropy_body(fault, x, w, targets):
    """Classes are cut."""
    logits = x @ w
    largest = jnp.max(logits, axis=1, keepdims=True)
    shifted = logits - (largest if fault == "own maximum" else lax.pmax(largest, "x"))
    exps = jnp.sum(jnp.exp(shifted), axis=1)
    total = jnp.log(exps if fault == "own sum" else lax.psum(exps, "x"))
    hits = jnp.sum(shifted * targets, axis=1)
    return jnp.sum(total - (hits if fault == "own hits" else lax.psum(hits, "x"))) / 8


def layer_norm(x, gamma, beta):
    mean = jnp.sum(x, axis=1, keepdims=True) / 8
    centred = x - mean
    variance = jnp.sum(centred * centred, axis=1, keepdims=True) / 8
    return centred * lax.rsqrt(variance + 0.5) * gamma + beta


def layer_norm_body(fault, x, gamma, beta):
    """Features are cut."""
    mean = lax.psum(jnp.sum(x, axis=1, keepdims=True), "x") / (2 if fault == "own count" else 8)
    centred = x - mean
    squares = jnp.sum(centred * centred, axis=1, keepdims=True)
    variance = (squares * 4 if fault == "own variance" else lax.psum(squares, "x")) / 8
    return centred * lax.rsqrt(variance + 0.5) * gamma + beta


def clipped(g1, g2):
    norm = jnp.sqrt(jnp.sum(g1 * g1) + jnp.sum(g2 * g2))
    scale = jnp.minimum(1.0, 0.5 / norm)
    return g1 * scale, g2 * scale


def clipped_body(fault, g1, g2):
    squares = jnp.sum(g1 * g1) + jnp.sum(g2 * g2)
    if fault == "sum of norms":
        norm = lax.psum(jnp.sqrt(squares), "x")
    elif fault == "own norm":
        norm = jnp.sqrt(squares)
    else:
        norm = jnp.sqrt(lax.psum(squares, "x"))
    scale = jnp.minimum(1.0, 0.5 / norm)
    return g1 * scale, g2 * scale


def layers(x, w, v):
    def layer(x, ws):
        return x + jnp.tanh(x @ ws[0]) @ ws[1], None

    return lax.scan(layer, x, (w, v))[0]


def layers_body(fault, x, w, v):
    def layer(x, ws):
        return x + _row(fault)(jnp.tanh(x @ ws[0]) @ ws[1]), None

    y = lax.scan(layer, x, (w, v))[0]
    return lax.psum(y, "x") if fault == "sum at the end" else y


def experts(x, w):
    return jnp.einsum("ecf,efd->ecd", jax.nn.relu(jnp.einsum("ecd,edf->ecf", x, w)), jnp.swapaxes(w, 1, 2))


def experts_body(fault, x, w):
    """x[E, C, D] cut by tokens, w[E, D, F] by experts."""
    x = lax.all_to_all(x, "x", split_axis=0, concat_axis=1, tiled=True)
    y = experts(x, w)
    if fault == "stays":
        return lax.all_gather(y, "x", axis=0, tiled=True)[:, :2]
    y = lax.all_to_all(y, "x", split_axis=1, concat_axis=0, tiled=True)
    return lax.psum(y, "x") if fault == "sum too" else y


def largest(x, y):
    return jnp.max(x @ y, axis=0), jnp.min(x, axis=0)


def largest_body(fault, x, y):
    found = jnp.max(x @ y, axis=0), jnp.min(x, axis=0)
    if fault == "minimum":
        return lax.pmin(found[0], "x"), lax.pmin(found[1], "x")
    return (found[0] if fault == "own" else lax.pmax(found[0], "x")), lax.pmin(found[1], "x")


def mean_loss(x, w, y):
    return jnp.mean((x @ w - y) ** 2)


def mean_loss_body(fault, x, w, y):
    own = jnp.mean((x @ w - y) ** 2)
    return lax.psum(own, "x") if fault == "sum" else own if fault == "own" else lax.pmean(own, "x")


def transposed(x, w):
    return (x @ w).T


def transposed_body(fault, x, w):
    return lax.psum((x @ w).T, "x") if fault != "not turned" else lax.psum(x @ w, "x")


CASES = {
    "mlp": Case(
        single=mlp,
        body=mlp_body,
        shapes=((8, 6), (6, 12), (12, 4)),
        given=(P(), P(None, "x"), P("x")),
        results=P(),
        faults=("no sum", "mean", "maximum"),
    ),
    "mlp_two_axes": Case(
        single=mlp,
        body=mlp_two_body,
        shapes=((8, 6), (6, 12), (12, 4)),
        mesh=TWO,
        given=(P("data"), P(None, "model"), P("model")),
        results=P("data"),
        faults=("other axis", "both axes", "no sum"),
    ),
    "biased": Case(
        single=biased,
        body=biased_body,
        shapes=((8, 6), (6, 12), (12,), (12, 4), (4,)),
        given=(P(), P(None, "x"), P("x"), P("x"), P()),
        results=P(),
        faults=("bias before", "mean", "no sum"),
    ),
    "sequence": Case(
        single=gelu_mlp,
        body=sequence_body,
        shapes=((8, 6), (6, 12), (12, 4)),
        given=(P("x"), P(None, "x"), P("x")),
        results=P("x"),
        faults=("slice alone", "times ranks"),
    ),
    "gathered": Case(
        single=gathered,
        body=gathered_body,
        shapes=((8, 4), (4, 8)),
        given=(P(), P(None, "x")),
        results=P(),
        faults=("sum", "order"),
    ),
    "own_slice": Case(
        single=own_slice,
        body=own_slice_body,
        shapes=((4, 6), (6, 8)),
        given=(P(), P()),
        results=P(None, "x"),
        faults=("next rank's", "first"),
    ),
    "gradients": Case(
        single=gradients,
        body=gradients_body,
        shapes=((6, 12), (12, 4), (8, 6), (8, 4)),
        given=(P(), P(), P("x"), P("x")),
        results=(P(), P()),
        faults=("one not summed", "mean", "no sum"),
    ),
    "sgd": Case(
        single=sgd,
        body=sgd_body,
        shapes=((6, 12), (12, 4), (8, 6), (8, 4)),
        given=(P(), P(), P("x"), P("x")),
        results=(P(), P(), P()),
        faults=("no sum", "mean", "loss not summed", "sum of parameters"),
    ),
    "momentum": Case(
        single=momentum,
        body=momentum_body,
        shapes=((6, 4), (6, 4), (8, 6), (8, 4)),
        given=(P(), P(), P("x"), P("x")),
        results=(P(), P()),
        faults=("sum of momentum", "no sum"),
    ),
    "adam": Case(
        single=adam,
        body=adam_body,
        shapes=((6, 4), (6, 4), (6, 4), (8, 6), (8, 4)),
        given=(P(), P(), P(), P("x"), P("x")),
        results=(P(), P(), P()),
        faults=("squares of parts", "no sum"),
    ),
    "fsdp": Case(
        single=gradients,
        body=fsdp_body,
        shapes=((8, 12), (12, 4), (8, 8), (8, 4)),
        given=(P("x"), P("x"), P("x"), P("x")),
        results=(P("x"), P("x")),
        faults=("own part of own gradient", "mean"),
    ),
    "megatron": Case(
        single=megatron,
        body=megatron_body,
        shapes=((4, 6), (6, 8), (8, 4), (4, 4)),
        mesh=TWO,
        given=(P("data"), P(None, "model"), P("model"), P("data")),
        results=(P(), (P("data"), P(None, "model"), P("model"))),
        faults=("no sum backward", "sum twice backward", "no sum over data"),
    ),
    "heads": Case(
        single=heads,
        body=heads_body,
        mesh=TWO,
        shapes=((2, 4, 6), (6, 4, 2), (6, 4, 2), (6, 4, 2), (4, 2, 6)),
        given=(P("data"), *(P(None, "model"),) * 3, P("model")),
        results=P("data"),
        faults=("no sum", "other axis", "other scale"),
    ),
    "ulysses": Case(
        single=plain_attention,
        body=ulysses_body,
        shapes=((8, 4, 2),) * 3,
        given=(P("x"),) * 3,
        results=P("x"),
        faults=("no exchange back", "exchange other way (right too)"),
        specs={"no exchange back": P("x")},
    ),
    "exchanged": Case(
        single=same,
        body=exchanged_body,
        shapes=((8, 8),),
        given=(P("x"),),
        results=P(None, "x"),
        faults=("own elements",),
    ),
    "cross_entropy": Case(
        single=cross_entropy,
        body=cross_entropy_body,
        shapes=((8, 6), (6, 8), (8, 8)),
        given=(P(), P(None, "x"), P(None, "x")),
        results=P(),
        faults=("own maximum", "own sum", "own hits"),
    ),
    "layer_norm": Case(
        single=layer_norm,
        body=layer_norm_body,
        shapes=((4, 8), (8,), (8,)),
        given=(P(None, "x"), P("x"), P("x")),
        results=P(None, "x"),
        faults=("own count", "own variance"),
    ),
    "clipped": Case(
        single=clipped,
        body=clipped_body,
        shapes=((8, 4), (4, 8)),
        given=(P("x"), P(None, "x")),
        results=(P("x"), P(None, "x")),
        faults=("sum of norms", "own norm"),
    ),
    "layers": Case(
        single=layers,
        body=layers_body,
        shapes=((4, 6), (3, 6, 8), (3, 8, 6)),
        given=(P(), P(None, None, "x"), P(None, "x")),
        results=P(),
        faults=("no sum", "sum at the end"),
    ),
    "experts": Case(
        single=experts,
        body=experts_body,
        shapes=((4, 8, 4), (4, 4, 6)),
        given=(P(None, "x"), P("x")),
        results=P(None, "x"),
        faults=("stays", "sum too"),
    ),
    "largest": Case(
        single=largest,
        body=largest_body,
        shapes=((8, 4), (4, 6)),
        given=(P("x"), P()),
        results=(P(), P()),
        faults=("minimum", "own"),
    ),
    "mean_loss": Case(
        single=mean_loss,
        body=mean_loss_body,
        shapes=((8, 4), (4, 6), (8, 6)),
        given=(P("x"), P(), P("x")),
        results=P(),
        faults=("sum", "own"),
    ),
    "transposed": Case(
        single=transposed,
        body=transposed_body,
        shapes=((4, 8), (8, 4)),
        given=(P(None, "x"), P("x")),
        results=P(),
        faults=("not turned",),
    ),
    "handed_on": Case(
        single=same,
        body=lambda fault, x: x * 1.5,
        shapes=((8, 8),),
        given=(P("x"),),
        results=P("x"),
        faults=("as columns", "as whole"),
        specs={"as columns": P(None, "x"), "as whole": P()},
    ),
}
