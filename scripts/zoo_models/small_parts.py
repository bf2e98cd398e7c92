"""Parts of small models in plain torch."""

from itertools import pairwise

from torch import nn

ROWS, FIELDS, ITEMS = 4, 3, 20


class Net(nn.Module):
    """Modules by names, and what they compute of their input."""

    def __init__(self, function, **modules):
        super().__init__()
        self.function = function
        for name, module in modules.items():
            setattr(self, name, module)

    def forward(self, *inputs):
        """Call the function."""
        return self.function(self, *inputs)


def mlp(*widths):
    """Linear layers of these widths, with ReLU between them."""
    layers = []
    for before, after in pairwise(widths):
        layers += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def table(width, rows=ITEMS):
    """An embedding of items."""
    return nn.Embedding(rows, width)
