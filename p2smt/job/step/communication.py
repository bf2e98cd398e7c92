"""Seconds that communication adds to a step because computing does not hide it.

Rates: a ring of n members with k members per domain leaves each domain through the cards of its k members, so
it reaches min(link, k * card) bytes/s. All-to-all exchanges and sends reach the rate of one device's card. A
send between stages uses the sender's card alone, or is split into tp parts over tp cards (scatter-gather), at
the rate of a single send.

Per layer and micro-batch, forward and backward, where A = 2 T h bytes are the activations of a tensor-parallel
group:

| axis | bytes | exposed |
|---|---|---|
| tp | 4 all-reduces of A (6 if recomputed), each 2 A (t - 1) / t | all, or a fraction if products hide it |
| tp, routed experts alone | half as many: attention's | all |
| cp | keys and values of the other parts, 3 times | a fraction, attention hides the rest |
| ep | 4 exchanges of A / t (6 if recomputed), once to each device and each domain reached | a fraction |
| experts' tp e | 4 gathers and scatters of A k e / t (6 if recomputed) | all |

DeepEP and HybridEP send a token once to each domain, and inside to each device, that holds any of its k experts. If
experts are drawn uniformly these are n (1 - (1 - 1/n)^k) of n, of which 1 - 1/n are others. NCCL's all-to-all sends a
copy for each of the k experts; those of other domains leave through the device's card. The expert mesh is folded: an
expert-parallel group occupies ep * etp consecutive devices, whatever tp is. Ring attention merges each received part
into its output, which moves bytes of the device's memory and is not hidden.

Per step: gradients and parameters are communicated among the data-parallel devices (ZeRO 0 to 2), after or
during the last backward pass. ZeRO 3 gathers twice and scatters once per micro-batch (in a pipeline once per
step), partly hidden by concurrent computing.

A ring of n devices in D domains passes on its last chunk over D - 1 cards and n - D links (those within a single
domain: n - 1 links), each of which adds NCCL's latency of a hop. With one call per layer (FSDP) that decides
above some hundred devices: on 512 H100, 3 calls for each of 32 layers take 0.23 s before any byte counts.
"""

from math import gcd

from p2smt.job.step.setting import Setting
from p2smt.job.step.traits import TensorOverlap
from p2smt.problem.transformer.model import Zero
from p2smt.problem.transformer.split import Dispatcher

_HALF = 2
_GRADIENT = 2
_LATENT_PASSES = 3
_LINK_HOP, _CARD_HOP = 3.4e-6, 14e-6  # NCCL's latency of a ring's hop (Simple): `hwLatencies` in src/graph/tuning.cc
_LEAST_BUCKET, _BUCKET_PER_RANK = 40e6, 1e6  # parameters per call: Megatron's max(40 M, 1 M * data-parallel ranks)
_MERGED_QUERY = 16  # bytes per merge: output read in 16 bits, sum read and written in float32; queries' gradients added
_MERGED_KEY = 12  # keys' and values' gradients added


def layer_communication(setting: Setting) -> dict[str, float]:
    """Return exposed seconds per average layer and micro-batch, by kind: tensor, context, dispatch."""
    part = setting.transformer.expert_layers / setting.transformer.layers
    return {"tensor": _tensor(setting), "context": _context(setting), "dispatch": part * _exchanges(setting)}


def _tensor(setting: Setting) -> float:
    tp, constants = setting.split.tp, setting.constants
    if tp == 1:
        return 0.0
    count = (2 + setting.recomputed) * _cut_parts(setting)
    rate = setting.link if setting.is_inside(tp) else setting.ring(gcd(tp, setting.cluster.domain))
    each = setting.tokens * setting.transformer.hidden * _HALF * 2 * (tp - 1) / tp / rate
    overlap = setting.traits.tensor
    dense = setting.transformer.experts is None
    if overlap is TensorOverlap.BUFFERS and not (dense and setting.split.sequence_parallel):
        # Megatron asserts sequence parallelism; Megatron-Bridge's recipes for experts have tp_comm_overlap = False.
        overlap = TensorOverlap.NONE
    match overlap:
        case TensorOverlap.NONE:
            exposed = constants.tensor
        case TensorOverlap.FIRST:
            exposed = constants.tensor_first
        case TensorOverlap.BUFFERS:
            exposed = constants.tensor_overlapped
    return count * (each + constants.collective_seconds) * exposed


def _cut_parts(setting: Setting) -> float:
    """Return the parts of an average layer that tensor parallelism cuts: attention, and a dense feed-forward layer.

    Routed experts take tokens that stay cut along the sequence, and gather them over `etp` devices alone.
    """
    transformer = setting.transformer
    dense = 1 - transformer.expert_layers / transformer.layers
    shared = transformer.experts is not None and transformer.experts.shared
    return 2.0 if shared or not setting.split.sequence_parallel else 1 + dense


def _context(setting: Setting) -> float:
    split = setting.split
    if split.cp == 1:
        return 0.0
    keys = setting.transformer.kv_heads * setting.transformer.head_size / split.tp
    sent = 2 * setting.tokens * (split.cp - 1) * keys * _HALF * _LATENT_PASSES
    rate = setting.link if setting.is_inside(split.tp * split.cp) else setting.card
    queries = setting.transformer.heads * setting.transformer.head_size / split.tp
    merged = (split.cp - 1) * setting.tokens * (_MERGED_QUERY * queries + _MERGED_KEY * keys)
    return sent / rate * setting.constants.context + merged / setting.memory_rate


def _exchanges(setting: Setting) -> float:
    split, experts, constants = setting.split, setting.transformer.experts, setting.constants
    if experts is None or split.ep * split.etp == 1:
        return 0.0
    count = 4 + 2 * setting.recomputed
    whole = setting.tokens / split.tp * setting.transformer.hidden * _HALF * experts.per_token * experts.capacity
    inside = split.ep * split.etp <= setting.cluster.domain
    gathered = whole * (split.etp - 1) / (setting.link if inside else setting.card) * constants.tensor
    if split.ep == 1:
        return count * gathered
    domains = max(1.0, split.ep * split.etp / setting.cluster.domain)
    each = setting.tokens / split.tp * setting.transformer.hidden * _HALF
    routed = experts.per_token * experts.capacity
    if setting.dispatcher is Dispatcher.ALLTOALL:
        near, far = routed * (1 / domains - 1 / split.ep), routed * (1 - 1 / domains)
    else:
        near, far = _others_reached(split.ep, routed), _others_reached(domains, routed)
    seconds = each * near / setting.link * constants.expert_inside
    if domains > 1:
        seconds += each * far / setting.card * constants.expert_outside
    return count * (seconds + gathered)


def _others_reached(parts: float, chosen: float) -> float:
    """Return the mean number of parts, other than a token's own, that hold some of its `chosen` experts.

    n (1 - (1 - 1/n)^k) of n parts have some of k experts drawn alike, and a part of 1 - 1/n of them are others.
    """
    holding: float = parts * (1 - (1 - 1 / parts) ** chosen)
    return holding * (1 - 1 / parts)


def send_seconds(setting: Setting) -> float:
    """Return the exposed seconds of sends between stages per micro-batch."""
    split = setting.split
    if split.pp == 1:
        return 0.0
    parts = split.tp if split.sequence_parallel or setting.traits.scatters_sends else 1
    calls = 2 * split.chunks
    sent = calls * setting.tokens * setting.transformer.hidden * _HALF / parts
    # Bytes overlap with other micro-batches; the launch and the latency of a send are in the stream of the stage.
    return sent / setting.cluster.send * setting.constants.send + calls * setting.constants.collective_seconds


def ring_latency(setting: Setting, members: int) -> float:
    """Return the seconds of the hops of one gather or scatter among `members` data-parallel devices of a stage."""
    reached = members * setting.split.tp
    domains = min(members, -(-reached // setting.cluster.domain))
    cards = domains - 1
    return cards * _CARD_HOP + (members - 1 - cards) * _LINK_HOP


def _data_calls(setting: Setting, dense: float) -> float:
    """Return the number of calls into which gradients are divided: one per layer (FSDP), or one per bucket."""
    if setting.split.zero is Zero.GRADIENTS:
        return max(setting.stages)
    return max(1.0, dense / max(_LEAST_BUCKET, _BUCKET_PER_RANK * setting.split.dp))


def gather_seconds(setting: Setting, dense: float, experts: float, computing: float) -> tuple[float, float]:
    """Return exposed and hidden seconds of ZeRO 3 per micro-batch.

    `dense` and `experts` are the numbers of parameters in a device's stage.
    """
    split, constants = setting.split, setting.constants
    if split.zero is not Zero.PARAMETERS:
        return 0.0, 0.0
    inside = split.shard * split.cp * split.tp <= setting.cluster.domain
    rate = setting.link if inside else setting.ring(min(setting.cluster.domain, split.devices) / split.tp)
    # Two gathers and one scatter, hence 3 times the bytes.
    moved = dense + (experts if split.expert_copies > 1 else 0.0)
    seconds = 3 * moved * _HALF / rate * (1.0 if inside else constants.gather)
    seconds += 3 * max(setting.stages) * ring_latency(setting, split.shard * split.cp)
    if split.stays_gathered:
        seconds /= setting.micro_batches
    room = constants.gather_hidden * computing
    exposed = max(0.0, seconds - room)
    return exposed + constants.gather_slowdown * min(seconds, room), min(seconds, room)


def data_seconds(setting: Setting, dense: float, experts: float) -> tuple[float, float]:
    """Return exposed and hidden seconds per step of reducing gradients and gathering parameters."""
    split, constants, domain = setting.split, setting.constants, setting.cluster.domain
    inside = min(domain, split.devices) / split.tp
    if split.zero is Zero.PARAMETERS:
        seconds = dense / max(split.shard, 1) * 4 / setting.card if split.replicate > 1 else 0.0
    else:
        copies = split.dp * split.cp
        rate = setting.link if split.tp * copies <= domain else setting.ring(inside)
        scatters = setting.micro_batches if split.zero is Zero.GRADIENTS and split.pp == 1 else 1
        seconds = dense * _GRADIENT * (scatters + 1) * (copies - 1) / copies / rate
        seconds += (scatters + 1) * _data_calls(setting, dense) * ring_latency(setting, copies)
        if experts:
            stage = split.devices // split.pp
            rate = setting.link if stage <= domain else setting.ring(domain / (split.ep * split.etp))
            others = split.expert_copies
            seconds += experts * _GRADIENT * (scatters + 1) * (others - 1) / others / rate
    exposed = (constants.data_overlapped if setting.traits.overlaps_data else constants.data) * seconds
    return exposed, max(0.0, seconds - exposed)
