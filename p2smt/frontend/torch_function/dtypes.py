"""The element types that a traced function may receive."""

DTYPES = ("float32", "float64", "int32", "int64")
