"""Data types of payloads: their sizes, and what else frameworks call them."""

DTYPE_BYTES = {
    "float16": 2,
    "bfloat16": 2,
    "float32": 4,
    "float64": 8,
    "int8": 1,
    "uint8": 1,
    "int32": 4,
    "int64": 8,
    "complex64": 8,
}
DTYPE_SPELLINGS = {
    "half": "float16",
    "float": "float32",
    "double": "float64",
    "fp16": "float16",
    "bf16": "bfloat16",
    "fp32": "float32",
    "fp64": "float64",
}
"""Alternative names of data types in frameworks' options and papers."""


def dtype_name(text: str) -> str:
    """Return the name in `DTYPE_BYTES` for any spelling of a data type; unknown text is returned unchanged.

    >>> dtype_name("fp16"), dtype_name("BF16"), dtype_name("int8")
    ('float16', 'bfloat16', 'int8')
    """
    name = text.lower()
    return DTYPE_SPELLINGS.get(name, name if name in DTYPE_BYTES else text)
