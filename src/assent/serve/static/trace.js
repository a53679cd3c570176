// The trace lab: a formula on a trace that is typed, uploaded or drawn; scenes move.
import { ask, busy, fail, say, show } from "./page.js";

const field = (id) => document.getElementById(id);
const form = field("lab"), result = field("result"), drawing = field("drawing");

const EXAMPLES = [
  { formula: "G(door_open -> F[0,3] alarm_on)", logic: "stl",
    csv: "time,door_open,alarm_on\n0,0,0\n1,1,0\n2,1,0\n3,0,1\n4,0,0\n5,1,0\n6,0,0\n7,0,0\n8,0,0\n9,0,1\n" },
  { formula: "G(speed < 30 & (speed > 20 -> F[0,2] speed < 15))", logic: "stl",
    csv: "time,speed\n0,5\n1,12\n2,22\n3,18\n4,14\n5,21\n6,26\n7,28\n8,24\n9,12\n" },
  { formula: "leftOf(robot, shelf) U closeTo(robot, box)", logic: "spatial",
    csv: "time,robot.x,robot.y,robot.r,box.x,box.y,box.r,shelf.x,shelf.y,shelf.r\n"
      + Array.from({ length: 11 }, (_, t) => `${t},${(t * 0.6).toFixed(1)},${(Math.sin(t / 2) * 1.5).toFixed(2)},0.5,5,-1.5,0.4,9,0,1`)
        .join("\n") },
];
let example = 0, timer = 0;

const body = () => {
  const asked = { formula: field("formula").value, csv: field("csv").value, period: field("period").value };
  if (field("logic").value) asked.logic = field("logic").value;
  return asked;
};

form.addEventListener("submit", (event) => {
  event.preventDefault();
  busy(result, form.querySelector(".primary"), async () => {
    clearInterval(timer);
    show(result, await ask("/page/trace", body()));
    say(result.querySelector(".lab.yes") ? "The formula holds." : "The formula does not hold.");
    result.querySelector(".outcome").focus();
    if (result.querySelector(".moving")) move(0);
  });
});

field("example").addEventListener("click", () => {
  const { formula, logic, csv } = EXAMPLES[example++ % EXAMPLES.length];
  field("formula").value = formula;
  field("logic").value = logic;
  field("csv").value = csv;
  drawing.hidden = true;
});

field("file").addEventListener("change", async () => {
  const [file] = field("file").files;
  if (file) field("csv").value = await file.text();
});

// ---- drawing -----------------------------------------------------------------------------------------

field("draw").addEventListener("click", async () => {
  try {
    draw(await ask("/page/trace/columns", { ...body(), csv: "" }));
  } catch (error) {
    drawing.hidden = false;
    fail(drawing, error);
  }
});

function draw({ truths, numbers, shapes }, steps = 10) {
  const rows = [...truths.map((name) => ({ name, kind: "checkbox" })), ...numbers.map((name) => ({ name, kind: "number" })),
    ...shapes.flatMap((name) => ["x", "y"].map((axis) => ({ name: `${name}.${axis}`, kind: "number" })))];
  const table = document.createElement("table");
  table.className = "grid-draw";
  table.createCaption().textContent = "Tick what is true, type what is measured: one column a time";
  const head = table.createTHead().insertRow();
  for (const text of ["name", ...Array.from({ length: steps }, (_, t) => t)]) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = text;
    head.append(cell);
  }
  const inside = table.createTBody();
  for (const { name, kind } of rows) {
    const row = inside.insertRow();
    const cell = document.createElement("th");
    cell.scope = "row";
    cell.textContent = name;
    row.append(cell);
    for (let t = 0; t < steps; t++) {
      const input = document.createElement("input");
      input.type = kind;
      input.setAttribute("aria-label", `${name} at ${t}`);
      if (kind === "number") Object.assign(input, { value: "0", step: "any" });
      row.insertCell().append(input);
    }
  }
  const scroll = document.createElement("div");
  scroll.className = "scroll";
  scroll.append(table);
  drawing.replaceChildren(scroll);
  drawing.hidden = false;
  drawing.querySelector("input")?.focus();
  const written = () => {
    const values = [...inside.rows].map((row) => [...row.querySelectorAll("input")].map((input) =>
      (input.type === "checkbox" ? Number(input.checked) : input.value || "0")));
    const lines = [["time", ...rows.map(({ name }) => name)]];
    for (let t = 0; t < steps; t++) lines.push([t, ...values.map((row) => row[t])]);
    field("csv").value = `${lines.map((line) => line.join(",")).join("\n")}\n`;
  };
  drawing.oninput = written;
  written();
}

// ---- scenes ------------------------------------------------------------------------------------------

function move(at) {
  const place = result.querySelector(".moving");
  const { times, shapes, held } = JSON.parse(place.dataset.scene);
  for (const group of place.querySelectorAll("[data-shape]")) {
    const [x, y, r] = shapes[group.dataset.shape][at];
    group.setAttribute("transform", `translate(${x} ${-y})`);
    group.querySelector("circle").setAttribute("r", r);
  }
  field("scene-at").value = at;
  field("scene-time").textContent = `time ${times[at]}: the formula ${held[at] ? "holds" : "does not hold"} from here`;
}

result.addEventListener("input", (event) => {
  if (event.target.id === "scene-at") move(Number(event.target.value));
});

result.addEventListener("click", (event) => {
  if (event.target.id !== "play") return;
  const last = Number(field("scene-at").max);
  clearInterval(timer);
  let at = Number(field("scene-at").value) >= last ? 0 : Number(field("scene-at").value);
  timer = setInterval(() => {
    move(at);
    if (at++ >= last) clearInterval(timer);
  }, 250);
});
