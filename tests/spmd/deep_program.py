"""A training step of several alike layers on more samples than features, without mesh."""


def deep(layers):
    body = "".join(f"y{n + 1} = tanh(matmul(y{n}, w{n}))\n" for n in range(layers))
    back = "".join(
        f"d{n} = e{n + 1} * (1 - y{n + 1} * y{n + 1})\ng{n} = matmul(transpose(y{n}, 1, 0), d{n})\n"
        f"e{n} = matmul(d{n}, transpose(w{n}, 1, 0))\n"
        for n in reversed(range(layers))
    )
    return (
        "program deep\ninput y0 : f32[256, 16]\n"
        + "".join(f"parameter w{n} : f32[16, 16]\n" for n in range(layers))
        + body
        + f"loss = sum(y{layers} * y{layers})\ne{layers} = y{layers} * 2\n"
        + back
        + "".join(f"n{n} = update(w{n}, w{n} - 0.1 * g{n})\n" for n in range(layers))
        + "output loss\n"
    )


DEEP = deep(6)
