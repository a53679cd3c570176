// The review queue: a card, a key, the answer on disk, the next card.
import { ask, fail, readBack, say, show, typing } from "./page.js";

const place = document.getElementById("card");
const doubts = document.getElementById("contestable");
const forecast = document.getElementById("forecast");
const handle = document.getElementById("handle");
const HANDLE = "assent-handle", SKIPPED = "assent-skipped", EVERY = 10;

handle.value = localStorage.getItem(HANDLE) || handle.value;
const me = () => handle.value.trim() || "local";
const skipped = () => JSON.parse(sessionStorage.getItem(SKIPPED) || "[]");
const skip = (items) => sessionStorage.setItem(SKIPPED, JSON.stringify(items.slice(-200)));
let working = false, answers = 0;

/** One thing at a time: a key that comes while an answer is being written means nothing. */
async function alone(work) {
  if (working) return;
  working = true;
  place.setAttribute("aria-busy", "true");
  try {
    await work();
  } catch (error) {
    fail(doubts, error);
  } finally {
    working = false;
    place.removeAttribute("aria-busy");
  }
}

function shown(html, focus = true) {
  show(place, html);
  doubts.replaceChildren();
  if (focus) place.querySelector(".review-card").focus({ preventScroll: true });
}

const next = (focus) => ask("/page/review/next", { handle: me(), skip: skipped() }).then((html) => shown(html, focus));
const card = () => place.querySelector("[data-item]");

async function answer(said, words) {
  const { item, look } = card().dataset;
  await ask("/v1/review/answers", { item, look: Number(look), handle: me(), ...said });
  if (said.skip) skip([...skipped(), item]);
  await next();
  say(`Kept: ${words}`);
  if (++answers % EVERY === 0) foresee();
}

async function undo() {
  const html = await ask("/page/review/undo", { handle: me() });
  shown(html);
  if (card()) skip(skipped().filter((item) => item !== card().dataset.item));
  say("Taken back.");
}

async function contest() {
  show(doubts, await ask("/page/review/contestable", { handle: me() }));
  (doubts.querySelector("input") || doubts).scrollIntoView({ block: "nearest" });
  doubts.querySelector("input")?.focus();
}

function type() {
  place.querySelector(".neither").hidden = false;
  place.querySelector("#mean").focus();
}

const KEYS = {
  0: () => answer({ none: true }, "none of these"),
  d: () => answer({ unsayable: true }, "cannot be said"),
  s: () => answer({ skip: true }, "skipped"),
  e: type,
};

function press(key) {
  if (key === "u") return alone(undo);
  if (key === "c") return alone(contest);
  if (!card()) return undefined;
  if (key === "y") return place.querySelector("#read-back button")?.click();
  const chosen = place.querySelector(`[data-key="${CSS.escape(key)}"][data-choose]`);
  if (chosen) return alone(() => answer({ formula: chosen.dataset.choose }, chosen.dataset.choose));
  return key in KEYS ? alone(async () => KEYS[key]()) : undefined;
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && typing(event)) return place.querySelector(".review-card")?.focus();
  if (!typing(event) && "0123edsucy".includes(event.key)) {
    event.preventDefault();
    press(event.key);
  }
  return undefined;
});

place.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.key) press(button.dataset.key);
  else if (button?.dataset.choose) alone(() => answer({ formula: button.dataset.choose }, button.dataset.choose));
});
place.addEventListener("submit", (event) => {
  event.preventDefault();
  alone(() => readBack(place.querySelector("#mean"), card().dataset.item));
});
document.getElementById("undo").addEventListener("click", () => press("u"));
document.getElementById("contest").addEventListener("click", () => press("c"));

doubts.addEventListener("submit", (event) => {
  event.preventDefault();
  const { contest: doubted } = event.target.dataset;
  alone(async () => {
    await ask("/v1/review/contest", { answer: doubted, why: event.target.elements.why.value, handle: me() });
    await next();
    say("One more look will settle it.");
  });
});

handle.addEventListener("change", () => {
  localStorage.setItem(HANDLE, me());
  skip([]);
  alone(next);
});

async function foresee() {
  try {
    forecast.textContent = (await ask("/page/review/forecast")).says;
  } catch {
    forecast.textContent = "";
  }
}

alone(() => next(false)).then(foresee);
