"""Names of torch's functions by what they do to selected rows."""

_ARITHMETIC = ("add", "sub", "mul", "truediv", "div", "pow", "floordiv", "mod", "and", "or", "xor")
_WRITING = (
    *("add", "sub", "mul", "div", "pow", "neg", "abs", "exp", "log", "sqrt", "square", "reciprocal"),
    *("sigmoid", "tanh", "relu", "leaky_relu", "elu", "clamp", "clamp_min", "clamp_max", "masked_fill"),
)
IN_PLACE = frozenset((*(f"__i{name}__" for name in _ARITHMETIC), *(f"{name}_" for name in _WRITING)))
"""Functions of single elements that write into their first operand."""

POINTWISE = frozenset(
    (
        *(f"__{name}__" for name in _ARITHMETIC),
        *(f"__r{name}__" for name in _ARITHMETIC),
        *(f"__{name}__" for name in ("neg", "invert", "abs", "pos", "eq", "ne", "lt", "le", "gt", "ge", "rtruediv")),
        *("add", "sub", "subtract", "rsub", "mul", "multiply", "div", "divide", "true_divide", "pow", "remainder"),
        *("maximum", "minimum", "clamp", "clip", "clamp_min", "clamp_max", "where", "masked_fill", "lerp"),
        *("eq", "ne", "lt", "le", "gt", "ge", "logical_and", "logical_or", "logical_not", "logical_xor"),
        *("bitwise_and", "bitwise_or", "bitwise_not", "isnan", "isinf", "isfinite", "floor_divide"),
        *("neg", "negative", "abs", "absolute", "sign", "square", "sqrt", "rsqrt", "reciprocal", "exp", "exp2"),
        *("log", "log2", "log10", "log1p", "expm1", "sin", "cos", "tan", "atan", "tanh", "sigmoid", "logit", "erf"),
        *("floor", "ceil", "round", "trunc", "xlogy", "logaddexp", "addcmul", "addcdiv", "nan_to_num", "erfc"),
        *("relu", "relu6", "gelu", "silu", "mish", "elu", "selu", "celu", "leaky_relu", "softplus", "softsign"),
        *("hardtanh", "hardsigmoid", "hardswish", "logsigmoid", "log_sigmoid", "threshold", "tanhshrink", "dropout"),
        *("clone", "zeros_like", "ones_like", "full_like"),
    )
)
"""Functions of single elements, whose operands broadcast."""

CASTS = frozenset(
    ("to", "type", "type_as", "float", "double", "half", "bfloat16", "int", "long", "bool", "detach", "contiguous")
)
"""Functions of single elements whose other arguments are no operands, and which may return what they are given."""

BY_ROW = {
    "linear": None,
    "embedding": None,
    "one_hot": None,
    "layer_norm": None,
    "rms_norm": None,
    "matmul": None,
    "__matmul__": None,
    "softmax": 1,
    "log_softmax": 1,
    "logsumexp": 1,
    "glu": 1,
    "normalize": 2,
    "cosine_similarity": 2,
    "cumsum": 1,
    "gather": 1,
    "argmax": 1,
    "argmin": 1,
    "prod": 1,
    "norm": 2,
    "std": 1,
    "var": 1,
    "topk": 2,
    "sort": 1,
    "cat": 1,
    "concat": 1,
}
"""Functions that compute each row by itself, unless their argument `dim`, at this position, is that of the rows."""

DIM_BY_DEFAULT = {"glu": -1, "topk": -1, "sort": -1, "normalize": 1, "cosine_similarity": 1, "cat": 0, "concat": 0}
VIEWS = frozenset(
    (
        *("view", "reshape", "flatten", "unsqueeze", "squeeze"),
        *("transpose", "permute", "t", "swapaxes", "movedim"),
        *("unbind", "__iter__", "chunk", "split"),
    )
)
"""Functions whose results may share the memory of what they are given."""

REDUCTIONS = frozenset(("sum", "mean", "any", "all", "amax", "amin", "max", "min"))
"""Functions that may join rows."""

LOSSES = frozenset(
    (
        *("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy"),
        *("soft_margin_loss", "kl_div", "binary_cross_entropy_with_logits", "poisson_nll_loss"),
    )
)
"""Losses of single elements."""

CLASS_LOSSES = frozenset(("cross_entropy", "nll_loss"))
METADATA = frozenset(
    (
        *("dtype", "device", "requires_grad", "is_leaf", "layout"),
        *("is_floating_point", "is_complex", "is_cuda", "is_cpu", "is_sparse"),
        *("is_meta", "is_nested", "is_quantized", "is_mkldnn", "element_size"),
        *("get_device", "names"),
    )
)
"""Attributes that a selection has in common with its value."""
SIZES = frozenset(("size", "shape", "dim", "ndim", "ndimension", "numel", "nelement", "__len__"))
ADDING = frozenset(("index_add", "index_add_", "index_put_"))

DIVISIONS = frozenset(
    (
        "__truediv__",
        "div",
        "divide",
        "true_divide",
        "remainder",
        "__mod__",
        "__itruediv__",
        "div_",
        "__pow__",
        "pow",
        "pow_",
    )
)
"""Functions that are infinite by their second operand, or, as powers, by a second one that is a tensor."""

SINGULAR = DIVISIONS | frozenset(
    (
        "__rtruediv__",
        "reciprocal",
        "reciprocal_",
        "__rpow__",
        "float_power",
        "log",
        "log_",
        "log2",
        "log10",
        "log1p",
        "xlogy",
        "logit",
        "sqrt",
        "sqrt_",
        "rsqrt",
        "rsqrt_",
        "norm",
        "normalize",
        "dist",
        "cdist",
        "cosine_similarity",
        "std",
        "var",
        "acos",
        "asin",
        "acosh",
        "atanh",
        "erfinv",
        "digamma",
    )
)
"""Functions that may be infinite, or have an infinite derivative, at numbers that occur."""
