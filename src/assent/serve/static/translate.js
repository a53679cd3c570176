// One instruction: the decision, its export, and the choice among readings.
import { ask, busy, download, fail, readBack, say, show, typing } from "./page.js";

const form = document.getElementById("ask");
const result = document.getElementById("result");
const field = (id) => document.getElementById(id);

const EXAMPLES = [
  { text: "Whenever the door is open, the alarm is on within 5 seconds.", logic: "stl",
    names: "door_open: door open\nalarm_on: alarm on" },
  { text: "The pump never runs while the valve is closed.", logic: "ltl",
    names: "pump_runs: pump runs\nvalve_closed: valve closed" },
  { text: "The robot stays left of the shelf until it touches the box.", logic: "spatial",
    names: "object robot: robot\nobject shelf: shelf\nobject box: box" },
];
let example = 0;

form.addEventListener("submit", (event) => {
  event.preventDefault();
  translate();
});

form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit();
  }
});

field("example").addEventListener("click", () => {
  const { text, logic, names } = EXAMPLES[example++ % EXAMPLES.length];
  field("text").value = text;
  field("logic").value = logic;
  field("names").value = names;
  field("own-names").open = true;
  field("text").focus();
});

async function translate() {
  const body = { text: field("text").value, names: field("names").value, unit: field("unit").value };
  for (const name of ["logic", "domain"]) if (field(name).value) body[name] = field(name).value;
  await busy(result, form.querySelector(".primary"), async () => {
    say("Translating …");
    show(result, await ask("/page/translate", body));
    const outcome = result.querySelector(".outcome");
    say(outcome ? outcome.textContent : "");
    outcome?.focus();
  });
}

// ---- export and choice -------------------------------------------------------------------------------

result.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.target.matches(".export")) exported(event.target);
  if (event.target.matches(".neither")) readBack(field("mean"), event.target.closest(".choose").dataset.decision);
});

result.addEventListener("change", ({ target }) => {
  if (target.id === "target") field("export-period").disabled = !target.selectedOptions[0].dataset.sampled;
});

async function exported({ dataset }) {
  const place = field("exported");
  await busy(place, null, async () => {
    const body = { formula: dataset.formula, logic: dataset.logic, target: field("target").value,
      instruction: dataset.text };
    const period = field("export-period");
    if (!period.disabled && period.value.trim()) {
      body.period = Number(period.value.trim().replace(",", "."));
      if (!(body.period > 0 && body.period < Infinity)) {
        period.focus();
        throw new Error("The time between samples is a positive number, or nothing.");
      }
    }
    const made = await ask("/v1/export", body);
    const text = document.createElement("pre");
    text.tabIndex = 0;
    text.textContent = made.text;
    place.replaceChildren(text);
    for (const note of made.notes) {
      const line = document.createElement("p");
      line.textContent = note;
      place.append(line);
    }
    download(made.filename, made.text);
    say(`${made.filename} is made.`);
  });
}

result.addEventListener("click", (event) => {
  const button = event.target.closest("[data-choose], [data-none]");
  if (button) chosen(button.closest(".choose"), button.dataset.choose ?? null);
});

async function chosen(card, formula) {
  const place = card.querySelector("#read-back");
  try {
    show(card, await ask("/page/chosen", { decision: card.dataset.decision, formula }));
    say("Kept.");
    card.querySelector(".kept").focus();
  } catch (error) {
    fail(place, error);
  }
}

document.addEventListener("keydown", (event) => {
  const card = result.querySelector(".choose");
  if (!card || typing(event) || result.hasAttribute("aria-busy")) return; // no key answers a card that is being replaced
  const button = card.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (button) button.click();
  else if (event.key === "0" && field("mean")) field("mean").focus();
  else if (event.key === "y") card.querySelector("#read-back button")?.click();
  else return;
  event.preventDefault();
});

// ---- vocabularies of the service -----------------------------------------------------------------------

ask("/page/domains").then(({ domains }) => {
  const named = domains.filter((name) => name);
  if (domains.length) field("domain").options[0].textContent = "of this service";
  for (const name of named) {
    const option = document.createElement("option");
    option.value = option.textContent = name;
    field("domain").append(option);
  }
}).catch(() => {});
