"""From a trained network to CTranslate2 weights (int8), with its vocabularies beside them."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import ctranslate2
import numpy as np
import torch
from torch import nn

from assent.embedded.seq2seq import MEANING
from assent_train.loop import TrainingState
from assent_train.network import Blocks, TrainedAttention, TrainedFeedForward, TrainedNetwork


def _matrix(spec: Any, blocks: Blocks) -> None:
    weight = blocks.weight.detach()
    spec.weight = weight.reshape(-1, weight.shape[-1]).float().numpy().copy()


def _norm(spec: Any, norm: nn.LayerNorm) -> None:
    spec.gamma = norm.weight.detach().float().numpy().copy()
    spec.beta = norm.bias.detach().float().numpy().copy()


def _attention(spec: Any, layer: TrainedAttention) -> None:
    _norm(spec.layer_norm, layer.norm)
    if layer.itself:
        _matrix(spec.linear[0], layer.qkv)
    else:
        _matrix(spec.linear[0], layer.q)
        _matrix(spec.linear[1], layer.kv)
    _matrix(spec.linear[-1], layer.out)


def _feed_forward(spec: Any, layer: TrainedFeedForward) -> None:
    _norm(spec.layer_norm, layer.norm)
    _matrix(spec.linear_0, layer.up)
    _matrix(spec.linear_1, layer.down)


def convert(
    network: TrainedNetwork,
    source: Sequence[str],
    target: Sequence[str],
    folder: Path,
    *,
    quantization: str | None = "int8",
) -> None:
    """Write ``folder`` anew as a CTranslate2 model."""
    from ctranslate2.specs import transformer_spec

    shape = network.shape
    rotary = {"rotary_dim": 0, "rotary_interleave": False}
    encoder = transformer_spec.TransformerEncoderSpec(shape.encoder, shape.heads, **rotary)
    decoder = transformer_spec.TransformerDecoderSpec(shape.decoder, shape.heads, **rotary)
    spec = transformer_spec.TransformerSpec(encoder, decoder)
    words = network.words(torch.arange(shape.source))
    encoder.embeddings[0].weight = words.detach().float().numpy().copy()
    decoder.embeddings.weight = network.target.weight.detach().float().numpy().copy()
    decoder.projection.weight = network.output.weight.detach().float().numpy().copy()
    _norm(encoder.layer_norm, network.encoder_norm)
    _norm(decoder.layer_norm, network.decoder_norm)
    for layer_spec, layer in zip(encoder.layer, network.encoder, strict=True):
        _attention(layer_spec.self_attention, layer.attention)
        _feed_forward(layer_spec.ffn, layer.ffn)
    for layer_spec, layer in zip(decoder.layer, network.decoder, strict=True):
        _attention(layer_spec.self_attention, layer.attention)
        _attention(layer_spec.attention, layer.cross)
        _feed_forward(layer_spec.ffn, layer.ffn)
    spec.register_source_vocabulary(list(source))
    spec.register_target_vocabulary(list(target))
    spec.validate()
    spec.optimize(quantization=quantization)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    spec.save(str(folder))
    if network.meaning is not None:
        np.save(folder / MEANING, network.meaning.detach().half().numpy())
    assert np.dtype("float32") and ctranslate2.contains_model(str(folder))


def export(state: TrainingState, folder: Path, name: str, *, halves: Path | None) -> Path:
    """The moving average as ``folder/name`` (int8), and in half precision as ``halves/name.pt``, to train from."""
    network = state.average
    convert(network, state.source.tokens, state.target.tokens, folder / name)
    if halves is not None:
        content = {
            "shape": network.shape.to_dict(),
            "source": state.source.tokens,
            "target": state.target.tokens,
            "average": {key: value.half() for key, value in network.state_dict().items()},
        }
        torch.save(content, halves / f"{name}.pt")
    return folder / name
