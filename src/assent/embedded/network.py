"""A small Transformer whose outputs have the same bits on every machine.

Everything between two steps is whole numbers, in units of 1/GRID; the weights are whole numbers too. A product of
matrices is then a sum of whole numbers, exact however it is computed as long as no partial sum leaves 2**53, and that
is proved for the weights when they are loaded (``_Bounds``). What remains is arithmetic on single numbers
(``assent.samebits``).

One sentence at a time: the rows of a matrix are its words, or the ends of the outputs that are being written. Outputs
form a tree; what each end sees is a mask over the nodes of the tree.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from assent import samebits
from assent.embedded.stored import Matrix, Stored
from assent.errors import ModelError
from assent.samebits import GRID, Array, fading

Mask: TypeAlias = NDArray[np.bool_]
EPSILON = 1e-5
LONGEST = 1024
"""Positions; a longer sentence is refused."""
_SHARE = 2.0**18  # attention is counted in shares of this size
_WIDE = 2.0**22  # a row is spread over so many steps before its squares are summed
_SINGLE = 2.0**24  # whole numbers below are exact in single precision
_BYTE = 127.0
_USUAL = 4.0  # times the root of its size: the length that a row does not exceed as a rule
_COARSEST = 2.0**6
_FINE_STEPS, _LARGEST = 2.0**14, 64.0  # of the matrix for unknown words
_ROOM = 64  # nodes that a tree has room for at first


class Linear:
    """A matrix: rows of whole numbers in units of 1/``grid`` in, whole numbers in units of 1/``out`` out.

    Weights of eight bits are multiplied in single precision, which is exact below 2**24 and takes half the time. The
    grid is such that rows of at most ``length`` stay below. Where no length is known, a usual one is supposed, and
    longer rows are multiplied in double precision, with the same result: both are exact.
    """

    def __init__(self, matrix: Matrix, *, length: float | None = None, out: float = GRID) -> None:
        whole = np.ascontiguousarray(matrix.whole.T)
        self.scale, self.lengths = matrix.scale, np.sqrt((whole * whole).sum(axis=0))
        self.grid, self.weight, self._limit = GRID, whole, math.inf
        if np.abs(whole).max() <= _BYTE:
            most = _SINGLE / (float(self.lengths.max()) * 1.01)
            supposed = length or _USUAL * math.sqrt(len(whole))
            self.grid = min(GRID, math.ldexp(0.5, math.frexp(most / supposed)[1]))  # a power of two
            self.weight = whole.astype(np.float32)
            self._limit = math.inf if length else most * most
        self.factor = out / (matrix.scale * self.grid)

    def __call__(self, x: Array) -> Array:
        weight = self.weight
        if self._limit < math.inf and float(np.einsum("ij,ij->i", x, x).max()) > self._limit:
            weight = weight.astype(np.float64)
        out = np.multiply(x.astype(weight.dtype, copy=False) @ weight, self.factor)
        return np.rint(out, out=out)


class Norm:
    """Layer normalisation; ``length``: how long a row can be that comes out. Units: 1/GRID, or those of ``feed``."""

    def __init__(self, stored: Stored, name: str) -> None:
        self.gamma = stored.vector(f"{name}/gamma")
        self.beta = stored.vector(f"{name}/beta")
        self._gamma, self._beta = self.gamma * GRID, self.beta * GRID
        width = len(self.gamma)
        root = math.sqrt(width)
        longest = root * float(np.abs(self.gamma).max()) * 1.001 + math.sqrt(
            math.fsum((self.beta**2).tolist())
        )
        self.length = longest + root / _COARSEST
        self._width, self._epsilon = float(width), EPSILON * (width * GRID) ** 2

    def feed(self, matrix: Matrix, out: float = GRID) -> Linear:
        """The matrix that takes what comes out of here, in the units that suit it."""
        linear = Linear(matrix, length=self.length, out=out)
        if linear.grid < _COARSEST:
            raise ModelError("the weights are too large to be computed exactly")
        self._gamma, self._beta = self.gamma * linear.grid, self.beta * linear.grid
        return linear

    def __call__(self, x: Array) -> Array:
        centred = x * self._width
        centred -= x.sum(axis=1, keepdims=True)
        unit = np.maximum(np.abs(centred).max(axis=1, keepdims=True), 1.0) / _WIDE
        centred /= unit
        np.rint(centred, out=centred)
        squares = (centred * centred).sum(axis=1, keepdims=True)
        centred *= unit / np.sqrt(squares / self._width * (unit * unit) + self._epsilon)
        centred *= self._gamma
        centred += self._beta
        return np.rint(centred, out=centred)


@dataclass(frozen=True, slots=True)
class Turning:
    """Rotary positions: cosines and sines, a row for each position."""

    cos: Array
    sin: Array

    @classmethod
    def table(cls, size: int) -> Turning:
        powers = samebits.exp(-np.arange(0, size, 2, dtype=np.float64) * (samebits.log_of(10000.0) / size))
        cos, sin = samebits.cos_sin(np.arange(LONGEST, dtype=np.float64)[:, None] * powers)
        return cls(np.concatenate((cos, cos), axis=1)[:, None], np.concatenate((-sin, sin), axis=1)[:, None])

    def __call__(self, x: Array, positions: NDArray[np.intp]) -> Array:
        """(What you like) x rows x heads x size, each row turned to its position."""
        half = x.shape[-1] // 2
        other = np.concatenate((x[..., half:], x[..., :half]), axis=-1)
        return np.rint(x * self.cos[positions] + other * self.sin[positions])


class Attention:
    """One block of attention with its norm: to the sentence itself, or to another one (``linear_1`` makes its keys)."""

    def __init__(self, stored: Stored, name: str, heads: int, *, itself: bool) -> None:
        self.norm, self.heads, self.itself = Norm(stored, f"{name}/layer_norm"), heads, itself
        self.first = self.norm.feed(stored.matrix(f"{name}/linear_0"))
        self.keys = self.first if itself else Linear(stored.matrix(f"{name}/linear_1"))
        self.out = Linear(stored.matrix(f"{name}/linear_{1 if itself else 2}"))
        self._share = self.out.grid / GRID
        self._steps = 1.0 / (GRID * math.sqrt(self.out.weight.shape[0] // heads))

    def split(self, x: Array, parts: int) -> Array:
        """Parts x rows x heads x size."""
        return x.reshape(len(x), parts, self.heads, -1).transpose(1, 0, 2, 3)

    def attend(self, queries: Array, keys: Array, values: Array, hidden: Mask | None) -> Array:
        """Queries: rows x heads x size; keys: heads x size x nodes; values: heads x nodes x size."""
        scores = queries.transpose(1, 0, 2) @ keys
        if hidden is not None:
            np.copyto(scores, -samebits.WHOLE, where=hidden)
        scores = np.rint((scores.max(axis=2, keepdims=True) - scores) * self._steps)
        shares = np.rint(fading(scores) * _SHARE)
        seen = np.rint((shares @ values) * (self._share / shares.sum(axis=2, keepdims=True)))
        return self.out(seen.transpose(1, 0, 2).reshape(queries.shape[0], -1))


class FeedForward:
    """Widen, cut at zero, narrow."""

    def __init__(self, stored: Stored, name: str) -> None:
        self.norm = Norm(stored, f"{name}/layer_norm")
        self.down = Linear(stored.matrix(f"{name}/linear_1"))
        self.up = self.norm.feed(stored.matrix(f"{name}/linear_0"), self.down.grid)

    def __call__(self, x: Array) -> Array:
        wide = self.up(self.norm(x))
        return self.down(np.maximum(wide, 0.0, out=wide))


class Meaning:
    """What is added to the row of an unknown word: its vector, turned by a matrix in steps of 1/2**14, hence exact.

    ``most``: a bound of its length.
    """

    def __init__(self, content: bytes, width: int) -> None:
        try:
            matrix = np.load(io.BytesIO(content), allow_pickle=False)
        except (ValueError, EOFError, OSError) as error:
            raise ModelError(f"the matrix for unknown words cannot be read: {error}") from error
        fits = matrix.ndim == 2 and matrix.shape[1] == width and matrix.dtype == np.float16
        if not fits or not (np.abs(matrix) < _LARGEST).all():
            raise ModelError("the matrix for unknown words does not fit the network")
        self._whole = np.rint(matrix.astype(np.float64) * _FINE_STEPS)
        self._factor = math.sqrt(width) * GRID / (_FINE_STEPS * samebits.FINE)
        self.most = (
            math.sqrt(width) * float(np.sqrt((matrix.astype(np.float64) ** 2).sum(axis=0)).max()) * 1.01
        )

    def __call__(self, vectors: Array) -> Array:
        """Unit vectors in multiples of 1/FINE; what comes out is in units of 1/GRID."""
        steps = np.rint(vectors.astype(np.float64) * samebits.FINE)
        return np.asarray(np.rint((steps @ self._whole) * self._factor))


@dataclass(frozen=True, slots=True)
class EncodedSource:
    """What the decoder needs of a sentence: keys and values for each of its layers."""

    layers: tuple[tuple[Array, Array], ...]


class Network:
    """Encoder and decoder. ModelError for weights of another build, or too large to be computed exactly."""

    def __init__(self, content: bytes, meaning: bytes | None = None) -> None:
        stored = Stored(content)
        for side in ("encoder", "decoder"):
            fits = stored.number(f"{side}/pre_norm") and stored.number(f"{side}/scale_embeddings")
            if not fits or stored.number(f"{side}/activation"):
                raise ModelError("the weights are of a network that is built otherwise")
        heads = int(stored.number("encoder/num_heads"))
        self.source, self.target = (
            _table(stored, "encoder/embeddings_0"),
            _table(stored, "decoder/embeddings"),
        )
        self.encoder = [
            (
                Attention(stored, f"{layer}/self_attention", heads, itself=True),
                FeedForward(stored, f"{layer}/ffn"),
            )
            for layer in _layers(stored, "encoder")
        ]
        self.decoder = [
            (
                Attention(stored, f"{layer}/self_attention", heads, itself=True),
                Attention(stored, f"{layer}/attention", heads, itself=False),
                FeedForward(stored, f"{layer}/ffn"),
            )
            for layer in _layers(stored, "decoder")
        ]
        self.encoder_norm, self.decoder_norm = (
            Norm(stored, "encoder/layer_norm"),
            Norm(stored, "decoder/layer_norm"),
        )
        self.output = self.decoder_norm.feed(stored.matrix("decoder/projection"))
        self.turning = Turning.table(self.source.shape[1] // heads)
        self.meaning = None if meaning is None else Meaning(meaning, self.source.shape[1])
        _Bounds().check(self)

    def encode(self, words: Sequence[int], meant: Mapping[int, Any] | None = None) -> EncodedSource:
        """A sentence by the numbers of its words; ``meant``: the vectors of words without a row, by their places."""
        if not 0 < len(words) <= LONGEST:
            raise ModelError(f"a sentence of {len(words)} words: 1 to {LONGEST} can be read")
        x, positions = self.source[list(words)], np.arange(len(words))
        if meant and self.meaning is not None:
            x[list(meant)] += self.meaning(np.stack(list(meant.values())))
        for attention, feed in self.encoder:
            parts = attention.split(attention.first(attention.norm(x)), 3)
            (queries, keys), values = self.turning(parts[:2], positions), parts[2]
            x = x + attention.attend(queries, keys.transpose(1, 2, 0), values.transpose(1, 0, 2), None)
            x += feed(x)
        x = self.encoder_norm(x)
        layers = []
        for _, cross, _ in self.decoder:
            keys, values = cross.split(cross.keys(np.rint(x * (cross.keys.grid / GRID))), 2)
            layers.append(
                (
                    np.ascontiguousarray(keys.transpose(1, 2, 0)),
                    np.ascontiguousarray(values.transpose(1, 0, 2)),
                )
            )
        return EncodedSource(tuple(layers))


class Writing:
    """Outputs being written for one sentence: a tree of nodes, each a token at its position."""

    def __init__(self, network: Network, memory: EncodedSource) -> None:
        self._network, self._memory, self._count = network, memory, 0
        heads, width = network.decoder[0][0].heads, network.source.shape[1]
        self._shape = heads, width // heads
        self._nodes: list[tuple[Array, Array]] = []
        self._make_room(_ROOM)

    def _make_room(self, room: int) -> None:
        heads, size = self._shape
        old, count = self._nodes, self._count
        self._nodes = [
            (np.empty((heads, size, room)), np.empty((heads, room, size))) for _ in self._network.decoder
        ]
        for (keys, values), (old_keys, old_values) in zip(self._nodes, old, strict=False):
            keys[:, :, :count] = old_keys[:, :, :count]
            values[:, :count] = old_values[:, :count]

    def add(self, tokens: Sequence[int], positions: Sequence[int], sees: Mask) -> Array:
        """New nodes; ``sees``: new nodes x (old and new) nodes. Logits of what follows each, in units of 1/GRID."""
        network, places = self._network, np.asarray(positions, dtype=np.intp)
        old, total = self._count, self._count + len(tokens)
        if total > self._nodes[0][0].shape[2]:
            self._make_room(2 * total)
        x, hidden = network.target[list(tokens)], None if sees.all() else ~sees
        for (attention, cross, feed), (keys, values), memory in zip(
            network.decoder, self._nodes, self._memory.layers, strict=True
        ):
            parts = attention.split(attention.first(attention.norm(x)), 3)
            queries, new_keys = network.turning(parts[:2], places)
            keys[:, :, old:total] = new_keys.transpose(1, 2, 0)
            values[:, old:total] = parts[2].transpose(1, 0, 2)
            x = x + attention.attend(queries, keys[:, :, :total], values[:, :total], hidden)
            (queries,) = cross.split(cross.first(cross.norm(x)), 1)
            x += cross.attend(queries, *memory, None)
            x += feed(x)
        self._count = total
        return network.output(network.decoder_norm(x))

    def keep(self, nodes: Mask) -> None:
        """Forget all other nodes; those kept are numbered anew, in their old order."""
        where, self._count = np.flatnonzero(nodes), int(nodes.sum())
        for keys, values in self._nodes:
            keys[:, :, : self._count] = keys[:, :, where]
            values[:, : self._count] = values[:, where]


def _table(stored: Stored, name: str) -> Array:
    """Embeddings as the layers want them: times the root of the width, in units of 1/GRID."""
    matrix = stored.matrix(name)
    width = matrix.whole.shape[1]
    return np.asarray(np.rint(matrix.whole * (math.sqrt(width) * GRID / matrix.scale)[:, None]))


def _layers(stored: Stored, side: str) -> list[str]:
    count = 0
    while f"{side}/layer_{count}/ffn/layer_norm/gamma" in stored:
        count += 1
    if not count:
        raise ModelError(f"the weights have no layer in the {side}")
    return [f"{side}/layer_{number}" for number in range(count)]


class _Bounds:
    """No sum of whole numbers may leave 2**53, whatever the sentence.

    A normalised row has a length of at most root(width) * gamma + |beta|. By Cauchy and Schwarz every partial sum of a
    product with it is at most the product of the lengths. The residual stream is the sum of what was added to it.
    """

    def check(self, network: Network) -> None:
        encoded = network.encoder_norm.length
        for table, layers in ((network.source, network.encoder), (network.target, network.decoder)):
            stream = float(np.abs(table).max()) / GRID
            if network.meaning is not None and layers is network.encoder:
                stream += network.meaning.most
            for layer in layers:
                for block in layer:
                    stream += self._added(block, encoded)
            self._demand(stream * GRID * table.shape[1] * 2)
            self._demand(_WIDE**2 * table.shape[1])
        self._product(network.output, network.decoder_norm.length)

    def _demand(self, bound: float) -> None:
        if not bound * 1.01 < samebits.WHOLE:  # the hundredth covers the roundings on the way
            raise ModelError("the weights are too large to be computed exactly")

    def _product(self, linear: Linear, length: float) -> Array:
        """At most so large is each output, for rows of that length."""
        rows = linear.lengths * length
        self._demand(float(rows.max()) * linear.grid)
        return np.asarray(rows / linear.scale + 1.0)

    def _added(self, block: Attention | FeedForward, encoded: float) -> float:
        """At most so much does a block add to an entry of the stream."""
        length = block.norm.length
        if isinstance(block, FeedForward):
            wide = self._product(block.up, length)
            return float(self._product(block.down, math.sqrt(float((wide**2).sum()))).max())
        width = block.out.weight.shape[0]
        outputs = self._product(block.first, length)
        if block.itself:
            queries, keys, values = outputs.reshape(3, width)
        else:
            queries, (keys, values) = outputs, self._product(block.keys, encoded).reshape(2, width)
        heads = np.sqrt((queries.reshape(block.heads, -1) ** 2).sum(axis=1)) * np.sqrt(
            (keys.reshape(block.heads, -1) ** 2).sum(axis=1)
        )
        self._demand(float(heads.max()) * GRID**2 * 2)
        self._demand(float(values.max()) * GRID * _SHARE * LONGEST)
        return float(self._product(block.out, math.sqrt(float((values**2).sum()))).max())
