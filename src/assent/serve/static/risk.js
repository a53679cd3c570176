// The alpha slider: every position was worked out by the service; this only shows the one that is chosen.
import { ask, busy, show } from "./page.js";

const place = document.getElementById("risk");
const logic = document.getElementById("logic");
const LEFT = 60, ROOM = 556; // where the charts begin, and how wide they are

const percent = (share) => `${(100 * share).toFixed(1)} %`;

function move(panel) {
  const rows = JSON.parse(panel.dataset.positions);
  const input = panel.querySelector(".alpha");
  const at = rows[Number(input.value)];
  const none = at.limit === null;
  const out = {
    alpha: String(at.alpha),
    limit: none ? "nothing can be accepted" : at.limit.toFixed(3),
    accepted: percent(at.accepted),
    error: none ? "–" : percent(at.error),
    needed: none ? (at.needed === null ? "no number suffices" : `about ${at.needed}`) : "none more",
  };
  for (const [name, value] of Object.entries(out)) panel.querySelector(`[data-out=${name}]`).textContent = value;
  input.setAttribute("aria-valuetext", `alpha ${at.alpha}, ${none ? out.limit : `accepts ${out.accepted}`}`);
  const line = panel.querySelector(".marked.live");
  const x = (LEFT + ROOM * at.accepted).toFixed(1);
  line.setAttribute("x1", x);
  line.setAttribute("x2", x);
}

place.addEventListener("input", (event) => {
  if (event.target.matches(".alpha")) move(event.target.closest(".slider"));
});

function load() {
  return busy(place, null, async () => {
    show(place, await ask("/page/risk", { logic: logic.value }));
    place.querySelectorAll(".slider").forEach(move);
  });
}

logic.addEventListener("change", load);
load();
