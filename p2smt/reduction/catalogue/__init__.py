"""The SMT-LIB scripts in `encodings/`: families of queries built from the terms that the synthesis engines solve."""
