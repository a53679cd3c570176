"""The network behind the embedded models: a small pre-norm Transformer with rotary positions.

Matrices are kept as ``(blocks, out, in)`` so that the optimiser sees each block by itself and the conversion to
CTranslate2 is a reshape. No biases but those of the layer norms: they add nothing at this size.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as fn

from assent.embedded.tokens import is_word

Vectors: TypeAlias = Callable[[Sequence[str]], Any]
"""Words -> a unit vector each."""
MEANING_SIZE = 256
"""Size of the word vectors of ``assent.embedded.embedder``."""
PAD = 0  # id of ``<unk>`` too: padded positions are masked wherever they could be seen


@dataclass(frozen=True)
class NetworkShape:
    """Everything that fixes the size of a network."""

    source: int
    target: int
    width: int = 192
    heads: int = 6
    encoder: int = 4
    decoder: int = 2
    inner: int = 768
    dropout: float = 0.0
    """Share of what each layer adds that is forgotten in training: against learning few rows by heart."""
    meaning: int = 0
    """Size of the word vectors that are added to the words' own rows, turned by a matrix; 0: none are."""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def rotary_table(length: int, size: int) -> tuple[Tensor, Tensor]:
    """Cosines and sines for positions 0..length-1, halves side by side (as CTranslate2 does)."""
    frequencies = 1.0 / (10000 ** (torch.arange(0, size, 2).float() / size))
    angles = torch.outer(torch.arange(length).float(), frequencies)
    angles = torch.cat((angles, angles), dim=-1)
    return angles.cos(), angles.sin()


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    half = x.shape[-1] // 2
    turned = torch.cat((-x[..., half:], x[..., :half]), dim=-1)
    return x * cos[: x.shape[-2]] + turned * sin[: x.shape[-2]]


class Blocks(nn.Module):
    """A linear map made of ``blocks`` square or oblong blocks, stacked along the output."""

    def __init__(self, blocks: int, out: int, inp: int, *, zero: bool = False) -> None:
        super().__init__()
        weight = torch.zeros(blocks, out, inp) if zero else torch.randn(blocks, out, inp) * inp**-0.5
        self.weight = nn.Parameter(weight)

    def forward(self, x: Tensor) -> Tensor:
        return fn.linear(x, self.weight.reshape(-1, self.weight.shape[-1]))


class TrainedAttention(nn.Module):
    """Multi-head attention; rotary positions only where a sequence looks at itself."""

    def __init__(self, shape: NetworkShape, *, itself: bool) -> None:
        super().__init__()
        width = shape.width
        self.heads, self.itself, self.dropout = shape.heads, itself, shape.dropout
        self.norm = nn.LayerNorm(width)
        if itself:
            self.qkv = Blocks(3, width, width)
        else:
            self.q = Blocks(1, width, width)
            self.kv = Blocks(2, width, width)
        self.out = Blocks(1, width, width, zero=True)

    def _split(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(
        self,
        x: Tensor,
        memory: Tensor | None,
        mask: Tensor | None,
        table: tuple[Tensor, Tensor],
        *,
        causal: bool = False,
    ) -> Tensor:
        h = self.norm(x)
        if self.itself:
            q, k, v = map(self._split, self.qkv(h).chunk(3, dim=-1))
            q, k = rotate(q, *table), rotate(k, *table)
        else:
            q = self._split(self.q(h))
            k, v = map(self._split, self.kv(memory).chunk(2, dim=-1))
        with torch.autocast("cpu", enabled=False):  # in bfloat16 its backward pass takes nine times as long
            seen = fn.scaled_dot_product_attention(
                q.float(), k.float(), v.float(), attn_mask=mask, is_causal=causal
            )
        added = self.out(seen.transpose(1, 2).flatten(2))
        return x + fn.dropout(added, self.dropout, self.training)


class TrainedFeedForward(nn.Module):
    def __init__(self, shape: NetworkShape) -> None:
        super().__init__()
        self.dropout = shape.dropout
        self.norm = nn.LayerNorm(shape.width)
        self.up = Blocks(1, shape.inner, shape.width)
        self.down = Blocks(1, shape.width, shape.inner, zero=True)

    def forward(self, x: Tensor) -> Tensor:
        return x + fn.dropout(self.down(fn.relu(self.up(self.norm(x)))), self.dropout, self.training)


class EncoderLayer(nn.Module):
    def __init__(self, shape: NetworkShape) -> None:
        super().__init__()
        self.attention, self.ffn = TrainedAttention(shape, itself=True), TrainedFeedForward(shape)


class DecoderLayer(nn.Module):
    def __init__(self, shape: NetworkShape) -> None:
        super().__init__()
        self.attention, self.cross = (
            TrainedAttention(shape, itself=True),
            TrainedAttention(shape, itself=False),
        )
        self.ffn = TrainedFeedForward(shape)


class TrainedNetwork(nn.Module):
    """Source ids -> target logits."""

    def __init__(self, shape: NetworkShape) -> None:
        super().__init__()
        self.shape = shape
        self.source = nn.Embedding(shape.source, shape.width)
        self.target = nn.Embedding(shape.target, shape.width)
        nn.init.normal_(self.source.weight, std=shape.width**-0.5)
        nn.init.normal_(self.target.weight, std=shape.width**-0.5)
        self.meaning = nn.Parameter(torch.zeros(shape.meaning, shape.width)) if shape.meaning else None
        self.register_buffer("vectors", torch.zeros(shape.source, shape.meaning), persistent=False)
        self.encoder = nn.ModuleList(EncoderLayer(shape) for _ in range(shape.encoder))
        self.encoder_norm = nn.LayerNorm(shape.width)
        self.decoder = nn.ModuleList(DecoderLayer(shape) for _ in range(shape.decoder))
        self.decoder_norm = nn.LayerNorm(shape.width)
        self.output = nn.Linear(shape.width, shape.target, bias=False)
        nn.init.normal_(self.output.weight, std=0.02)
        cos, sin = rotary_table(512, shape.width // shape.heads)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)

    def words(self, source: Tensor) -> Tensor:
        """The rows of words. A number beyond the last word is a word read by its meaning alone, as one never met."""
        word = source % self.shape.source
        rows: Tensor = self.source(torch.where(source < self.shape.source, word, PAD))
        return rows if self.meaning is None else rows + self.vectors[word] @ self.meaning

    def encode(self, source: Tensor, mask: Tensor | None) -> Tensor:
        """``mask``: true where a source token stands, shape (batch, 1, 1, length); None if all do."""
        x = self.words(source) * self.shape.width**0.5
        for layer in self.encoder:
            x = layer.attention(x, None, mask, (self.cos, self.sin))
            x = layer.ffn(x)
        memory: Tensor = self.encoder_norm(x)
        return memory

    def forward(self, source: Tensor, lengths: Tensor, target: Tensor, owner: Tensor | None = None) -> Tensor:
        """Teacher forcing: ``target`` starts with the start token; logits for the token after each.

        ``owner``: the source of each target, where several targets share one.
        """
        mask = None
        if int(lengths.min()) < source.shape[1]:
            mask = (torch.arange(source.shape[1])[None] < lengths[:, None])[:, None, None]
        memory = self.encode(source, mask)
        if owner is not None:
            memory, mask = memory[owner], None if mask is None else mask[owner]
        y = self.target(target) * self.shape.width**0.5
        for layer in self.decoder:
            y = layer.attention(y, None, None, (self.cos, self.sin), causal=True)
            y = layer.cross(y, memory, mask, (self.cos, self.sin))
            y = layer.ffn(y)
        logits: Tensor = self.output(self.decoder_norm(y))
        return logits


def set_meanings(network: TrainedNetwork, words: Sequence[str], vectors: Vectors) -> None:
    """The vectors of the source words that say something; zeros for the others."""
    if network.meaning is None:
        return
    spoken = [number for number, word in enumerate(words) if is_word(word)]
    with torch.no_grad():
        network.vectors.zero_()
        found = vectors([words[number] for number in spoken])
        network.vectors[spoken] = torch.from_numpy(np.asarray(found, dtype=np.float32))


def grow(
    network: TrainedNetwork, sizes: Mapping[str, int], *, like: TrainedNetwork | None = None
) -> TrainedNetwork:
    """The same network with room for more words (``source``, ``target``) or more layers (``encoder``, ``decoder``).

    Old rows keep their values, new ones start at random (or as those of ``like``, which has grown before), new words
    of a network with meanings as a word never met; a new layer adds nothing until it has learnt something.
    """
    bigger = TrainedNetwork(NetworkShape(**{**network.shape.to_dict(), **sizes}))
    state = bigger.state_dict()
    if bigger.meaning is not None:
        state["source.weight"][:] = network.source.weight[PAD]
    if like is not None:
        state = {name: value.clone() for name, value in like.state_dict().items()}
    for name, value in network.state_dict().items():
        state[name][: value.shape[0]] = value
    bigger.load_state_dict(state)
    return bigger
