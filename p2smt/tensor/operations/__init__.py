"""Registry of all operations by name."""

from collections.abc import Mapping
from types import MappingProxyType

from p2smt.tensor.operation import Operation
from p2smt.tensor.operations.attention import ATTENTION
from p2smt.tensor.operations.batch_norm import BATCH_NORM
from p2smt.tensor.operations.contract import CONTRACTIONS
from p2smt.tensor.operations.group_norm import GROUP_NORM
from p2smt.tensor.operations.grouped import GROUPED
from p2smt.tensor.operations.index import INDEXED
from p2smt.tensor.operations.map import MAPS
from p2smt.tensor.operations.move import MOVES
from p2smt.tensor.operations.pool import POOLS
from p2smt.tensor.operations.random import RANDOM
from p2smt.tensor.operations.reduce import REDUCTIONS
from p2smt.tensor.operations.rms_norm import RMS_NORM
from p2smt.tensor.operations.rotary import ROTARY
from p2smt.tensor.operations.row import ROWS
from p2smt.tensor.operations.update import UPDATES
from p2smt.tensor.operations.weighted_norm import WEIGHTED_NORMS

_DECLARED = (
    *CONTRACTIONS,
    *GROUPED,
    *MAPS,
    *REDUCTIONS,
    *ROWS,
    *POOLS,
    *MOVES,
    *INDEXED,
    *RANDOM,
    *UPDATES,
    *ROTARY,
    *RMS_NORM,
    *WEIGHTED_NORMS,
    *ATTENTION,
    *BATCH_NORM,
    *GROUP_NORM,
)
OPERATIONS: Mapping[str, Operation] = MappingProxyType({operation.name: operation for operation in _DECLARED})
