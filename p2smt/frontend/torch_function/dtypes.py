"""The element types that a traced function may get."""

DTYPES = ("float32", "float64", "int32", "int64")
