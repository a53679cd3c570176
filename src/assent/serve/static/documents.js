// Many instructions: a file is read by the service, decisions come one by one, the table grows while they come.
import { ask, busy, download, say } from "./page.js";

const field = (id) => document.getElementById(id);
const form = field("upload"), body = field("rows"), meter = field("batch-progress"), line = field("batch-line");
const MOST = 1000;
let rows = [], stop = null, name = "decisions";

function element(tag, text, className) {
  const made = document.createElement(tag);
  if (text !== undefined && text !== null) made.textContent = text;
  if (className) made.className = className;
  return made;
}

const outcome = (row) => (row.decision === "accepted" ? "accepted" : row.decision === "abstained" ? "abstained" : "failed");
const NAMES = { accepted: "accepted", abstained: "not vouched for", failed: "failed" };

function shown(row) {
  const only = field("only").value, words = field("search").value.trim().toLowerCase();
  if (only && outcome(row) !== only) return false;
  return !words || [row.id, row.text, row.formula, row.detail].some((part) => String(part ?? "").toLowerCase().includes(words));
}

function add(row) {
  if (body.rows.length >= MOST || !shown(row)) return;
  const made = element("tr");
  made.append(element("td", row.id), element("td", row.text));
  const cell = element("td");
  cell.append(element("span", NAMES[outcome(row)], `badge ${outcome(row)}`));
  made.append(cell);
  const last = element("td");
  if (row.formula) last.append(element("code", row.formula), element("br"), element("span", row.english));
  else last.append(element("span", row.detail || row.error || row.reason, "help"));
  made.append(last);
  body.append(made);
}

function redraw() {
  body.replaceChildren();
  rows.forEach(add);
  count();
}

function count() {
  const found = rows.filter(shown).length;
  field("shown").textContent = found > MOST ? `${found} rows, the first ${MOST} are shown` : `${found} rows`;
}

function progress(done, total, note = "") {
  const by = (kind) => rows.filter((row) => outcome(row) === kind).length;
  meter.max = Math.max(1, total);
  meter.value = done;
  const failed = by("failed");
  line.textContent = `${done} of ${total} · ${by("accepted")} accepted · ${by("abstained")} not vouched for`
    + (failed ? ` · ${failed} failed` : "") + note;
}

const base64 = (file) => new Promise((done, failed) => {
  const reader = new FileReader();
  reader.onload = () => done(reader.result.slice(reader.result.indexOf(",") + 1));
  reader.onerror = () => failed(new Error("the file cannot be read"));
  reader.readAsDataURL(file);
});

async function* lines(answer) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    for (const part of parts) if (part.trim()) yield JSON.parse(part);
  }
  if (rest.trim()) yield JSON.parse(rest);
}

async function run(file) {
  name = file.name.replace(/\.[^.]*$/, "") || "decisions";
  const found = await ask("/page/documents/read",
    { name: file.name, content: await base64(file), names: field("names").value, unit: field("unit").value });
  aside(found.aside);
  rows = found.requirements.filter((part) => part.refused).map((part) => ({ ...part, decision: "abstained",
    reason: "unreadable", detail: part.refused }));
  const asked = found.requirements.filter((part) => !part.refused);
  redraw();
  const total = found.requirements.length;
  progress(rows.length, total);
  field("result").hidden = false;
  if (!asked.length) return;
  const request = { cases: asked.map(({ id, text, logic, domain }) => Object.fromEntries(
    Object.entries({ id, text, logic, domain }).filter(([, value]) => value !== null))) };
  if (field("logic").value) request.logic = field("logic").value;
  if (found.vocabulary) request.vocabulary = found.vocabulary;
  stop = new AbortController();
  let at = 0;
  const answer = await ask("/v1/batch", request, { signal: stop.signal, raw: true });
  for await (const { evidence, ...row } of lines(answer)) {
    const part = asked[at++];
    rows.push({ ...row, id: part.id, line: part.line, text: part.text, logic: evidence?.logic ?? part.logic });
    add(rows.at(-1));
    progress(rows.length, total);
    count();
  }
  say(`Done: ${line.textContent}`);
}

function aside(parts) {
  const place = field("aside");
  place.replaceChildren();
  if (!parts.length) return;
  const box = element("details");
  const list = element("ul");
  for (const part of parts) list.append(element("li", `line ${part.line}: ${part.text} (${part.why})`));
  box.append(element("summary", `${parts.length} parts were set aside: they are no requirements`), list);
  place.append(box);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const [file] = field("file").files;
  if (!file) return;
  field("stop").hidden = false;
  busy(field("problem"), form.querySelector(".primary"), async () => {
    field("problem").replaceChildren();
    try {
      await run(file);
    } catch (error) {
      if (error.name !== "AbortError") throw error;
      line.textContent += " · stopped";
    }
  }).finally(() => {
    field("stop").hidden = true;
    stop = null;
  });
});

field("stop").addEventListener("click", () => stop?.abort());
field("only").addEventListener("change", redraw);
field("search").addEventListener("input", redraw);
field("as-lines").addEventListener("click", () => {
  download(`${name}.jsonl`, rows.map((row) => `${JSON.stringify(row)}\n`).join(""), "application/x-ndjson");
});
field("as-csv").addEventListener("click", () => busy(field("problem"), field("as-csv"), async () => {
  const plain = rows.map((row) => Object.fromEntries(Object.entries(row)
    .filter(([, value]) => ["string", "number"].includes(typeof value)).map(([key, value]) => [key, String(value)])));
  download(`${name}.csv`, await ask("/page/documents/csv", { rows: plain }), "text/csv");
}));
field("certify").addEventListener("click", () => busy(field("problem"), field("certify"), async () => {
  const made = await ask("/page/documents/certificate", { confidence: "0.95" });
  field("certificate").textContent = made.sentence;
  download("certificate.html", made.page, "text/html");
}));
