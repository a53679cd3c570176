// What every view needs: asking the service, showing its answer, copying, single keys.

const TOKEN = "assent-token";

/** Ask the service; an error carries what the problem says. A missing token is asked for, and the request repeated. */
export async function ask(path, body, { signal, raw } = {}) {
  const headers = {};
  const token = sessionStorage.getItem(TOKEN);
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const options = { method: body === undefined ? "GET" : "POST", headers, signal };
  if (body !== undefined) options.body = JSON.stringify(body);
  const answer = await fetch(path, options);
  if (answer.status === 401) {
    if (!(await askToken())) throw new Error("this needs a token");
    return ask(path, body, { signal, raw });
  }
  if (!answer.ok) throw new Error(await detail(answer));
  if (raw) return answer;
  const kind = answer.headers.get("content-type") || "";
  return kind.includes("json") ? answer.json() : answer.text();
}

async function detail(answer) {
  try {
    return (await answer.json()).detail || answer.statusText;
  } catch {
    return answer.statusText || `the service answered ${answer.status}`;
  }
}

let asking = null;

function askToken() {
  asking ??= new Promise((done) => {
    const dialog = document.getElementById("token-dialog");
    const input = document.getElementById("token");
    sessionStorage.removeItem(TOKEN);
    input.value = "";
    dialog.addEventListener("close", () => {
      if (input.value) sessionStorage.setItem(TOKEN, input.value.trim());
      asking = null;
      done(Boolean(input.value));
    }, { once: true });
    dialog.showModal();
  });
  return asking;
}

/** Put a fragment of the service (escaped there) into a place. */
export function show(place, html) {
  place.innerHTML = html;
}

/** An error, as text. */
export function fail(place, error) {
  const line = document.createElement("p");
  line.className = "error";
  line.setAttribute("role", "alert");
  line.textContent = error.message || String(error);
  place.replaceChildren(line);
}

/** Say something to everybody, screen readers included. */
export function say(text) {
  const place = document.getElementById("said");
  place.textContent = text;
  clearTimeout(said);
  said = setTimeout(() => { place.textContent = ""; }, 4000);
}

let said = 0;

/** Run something with its button disabled and the place marked as busy. */
export async function busy(place, button, work) {
  place.setAttribute("aria-busy", "true");
  if (button) button.disabled = true;
  try {
    await work();
  } catch (error) {
    fail(place, error);
  } finally {
    place.removeAttribute("aria-busy");
    if (button) button.disabled = false;
  }
}

/** Read back what was typed instead of chosen; an answer that comes after the words were changed is not shown. */
export async function readBack(field, decision) {
  const place = document.getElementById("read-back"), text = field.value.trim();
  if (!text) return field.focus();
  return busy(place, null, async () => {
    place.replaceChildren();
    const html = await ask("/page/typed", { decision, text });
    if (!field.isConnected || field.value.trim() !== text) return;
    show(place, html);
    place.querySelector("button").focus();
  });
}

// What was read back belongs to the words it was made from: it goes with them, and so does its button.
document.addEventListener("input", ({ target }) => {
  if (target.id === "mean") document.getElementById("read-back").replaceChildren();
});

/** Whether a key is meant for a field and not for the page. */
export function typing(event) {
  const at = event.target;
  return event.ctrlKey || event.metaKey || event.altKey || at.isContentEditable
    || ["INPUT", "TEXTAREA", "SELECT"].includes(at.tagName);
}

/** Give the browser a file. */
export function download(name, content, type = "text/plain") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  say("Copied.");
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button.dataset.copy);
});
