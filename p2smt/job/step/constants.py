"""Constants of the step-time model, common to all devices, frameworks and models.

They are fitted to the 325 public runs with all inputs of the model (`scripts/judge_jobs.py --refit`), by least
squares on logarithms with a soft loss; each constant is regularised towards its value from first principles.
All other effects of a device, precision and framework are one factor, in `corrections.toml`.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Constants:
    """The constants, explained beside each value; efficiencies are fractions of the peak rate of 16-bit products."""

    matmul: float = 0.767  # large dense products in 16 bits
    matmul_fp8: float = 0.673  # the same in 8 bits, of the peak in 8 bits
    experts: float = 0.601  # products of experts
    narrow_output: float = 99.6  # a product with n columns takes 1 + 99.6 / n + ... times as long
    narrow_input: float = 101  # the same for the inner dimension
    few_rows: float = 106  # the same for rows (tokens)
    attention: float = 0.342  # attention core up to Ampere
    attention_hopper: float = 0.219
    attention_blackwell: float = 0.583
    small_head: float = 13.3  # a head of d elements takes 1 + 13.3 / d times as long
    unaligned_head: float = 9.58  # more work where 8 does not divide the head: no tensor cores with wide loads
    odd_head: float = 0.098  # more work where 64 does not divide it
    hidden_bytes: float = 59.5  # moved by norms and residuals per token and hidden element, both passes
    inner_bytes: float = 24.3  # moved by activation functions per token and inner element
    routing_bytes: float = 65.4  # moved by sending tokens to experts per token, expert of it and hidden element
    logit_bytes: float = 27.0  # moved by the loss per token and word
    quantise_bytes: float = 7.09  # moved by casts to 8 bits per token and element of an input
    tensor: float = 1.41  # seconds of tensor-parallel collectives over those of their bytes
    tensor_first: float = 2.7  # the same before Megatron Core
    tensor_overlapped: float = 0.283  # the same where products hide them (user buffers)
    expert_inside: float = 0.755  # exposed part of tokens sent to experts, inside a domain
    expert_outside: float = 1.0  # the same between domains
    context: float = 0.3  # exposed part of keys and values sent around
    send: float = 0.1087  # exposed part of sends between stages, at the rate of a single one
    data: float = 1.05  # seconds of data-parallel reductions after the last backward pass
    data_overlapped: float = 0.379  # exposed part where buckets overlap with it
    gather: float = 1.01  # seconds of ZeRO-3 gathers between domains over those of their bytes
    gather_hidden: float = 0.8  # part of computing that can hide gathers
    gather_slowdown: float = 0.302  # what hidden gathers take from computing
    optimizer_bytes: float = 31.0  # moved by the optimizer per parameter of a device
    accumulation_bytes: float = 21.1  # moved per parameter and micro-batch: weights read, gradients added up
    layer_seconds: float = 4.85e-05  # per layer and micro-batch: launches
    expert_layer_seconds: float = 0.000849  # the same for layers with experts
    output: float = 0.922  # part of output and loss that a last stage with more to do than the others costs
    recompute: float = 0.956  # cost of a recomputed forward pass over that of the first
    memory_rate: float = 0.8  # part of the memory's peak rate
    link_rate: float = 0.8  # part of the links' nominal rate
    collective_seconds: float = 2e-5  # latency of a tensor-parallel collective


CONSTANTS = Constants()
