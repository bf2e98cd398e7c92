"""Constants of the step-time model, common to all devices, frameworks and models.

They are fitted to the 325 public runs with all inputs of the model (`scripts/judge_jobs.py --refit`), by least
squares on logarithms with a soft loss; each constant is regularised towards its value from first principles.
All other effects of a device, precision and framework are one factor, in `corrections.toml`.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """The constants, explained beside each value; efficiencies are fractions of the peak rate of 16-bit products."""

    matmul: float = 0.77  # large dense products in 16 bits
    matmul_fp8: float = 0.666  # the same in 8 bits, of the peak in 8 bits
    experts: float = 0.582  # products of experts
    narrow_output: float = 101  # a product with n columns takes 1 + 101 / n + ... times as long
    narrow_input: float = 102  # the same for the inner dimension
    few_rows: float = 105  # the same for rows (tokens)
    attention: float = 0.344  # attention core up to Ampere
    attention_hopper: float = 0.219
    attention_blackwell: float = 0.554
    small_head: float = 12.9  # a head of d elements takes 1 + 13 / d times as long
    unaligned_head: float = 9.41  # more work where 8 does not divide the head: no tensor cores with wide loads
    odd_head: float = 0.099  # more work where 64 does not divide it
    hidden_bytes: float = 60.3  # moved by norms and residuals per token and hidden element, both passes
    inner_bytes: float = 21  # moved by activation functions per token and inner element
    routing_bytes: float = 55.6  # moved by sending tokens to experts per token, expert of it and hidden element
    logit_bytes: float = 28  # moved by the loss per token and word
    logit_bytes_fused: float = 12.2  # the same where one kernel computes the loss
    quantise_bytes: float = 4.72  # moved by casts to 8 bits per token and element of an input
    tensor: float = 1.1  # seconds of tensor-parallel collectives over those of their bytes
    tensor_first: float = 2.31  # the same before Megatron Core
    tensor_overlapped: float = 0.311  # the same where products hide them (user buffers)
    expert_inside: float = 0.906  # exposed part of tokens sent to experts, inside a domain
    expert_outside: float = 1  # the same between domains
    context: float = 0.3  # exposed part of keys and values sent around
    send: float = 0.102  # exposed part of sends between stages, at the rate of a single one
    data: float = 1.03  # seconds of data-parallel reductions after the last backward pass
    data_overlapped: float = 0.438  # exposed part where buckets overlap with it
    gather: float = 1  # seconds of ZeRO-3 gathers between domains over those of their bytes
    gather_hidden: float = 0.8  # part of computing that can hide gathers
    gather_slowdown: float = 0.292  # what hidden gathers take from computing
    optimizer_bytes: float = 30.9  # moved by the optimizer per parameter of a device
    accumulation_bytes: float = 22.2  # moved per parameter and micro-batch: weights read, gradients added up
    accumulation_bytes_fused: float = 7.12  # the same where products add to float32 gradients
    layer_seconds: float = 5.02e-05  # per layer and micro-batch: launches
    expert_layer_seconds: float = 0.000336  # the same for layers with experts
    expert_seconds: float = 3.85e-05  # the same per expert of a device: its products are launched apart
    output: float = 0.958  # part of output and loss that a last stage with more to do than the others costs
    recompute: float = 0.973  # cost of a recomputed forward pass over that of the first
    memory_rate: float = 0.8  # part of the memory's peak rate
    link_rate: float = 0.8  # part of the links' nominal rate
    collective_seconds: float = 2e-5  # latency of a tensor-parallel collective, or of a send between stages


CONSTANTS = Constants()
