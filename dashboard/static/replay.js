/* Steps through a replay without a round trip for each play. It knows no rules: every position, every target of a step
   and every drawn piece comes from the server. Without it, every control is a link to the same page at another position. */

const STATES = { h: "held", c: "can", p: "played", g: "gone" };
const SWIPE_PX = 40;
const SPOKEN = { "Accept-Language": document.documentElement.lang }; // the page's, where no cookie says it
const SWAPPED = ["#replay", "#said", "main > .heading"];

const one = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];
const flag = (element, name, on) => element.toggleAttribute(name, Boolean(on));

const kept = new Map(); // frames by their address
let at = read();
let timer = 0;
let doing = Promise.resolve(); // one act after the other, however fast the keys come

function read() {
  const { deal, play, view, base, frames } = one("#replay").dataset;
  return { deal: Number(deal), play: Number(play), view, base, frames };
}

function address(deal, play, view) {
  return `${at.base}?${new URLSearchParams({ deal, play, view })}`;
}

/* ---- positions of one deal ---- */

async function frames() {
  const from = at.frames;
  if (!kept.has(from)) {
    const loading = fetch(from, { headers: { Accept: "application/json", ...SPOKEN } }).then((answer) => {
      if (!answer.ok) throw new Error(`${from}: ${answer.status}`);
      return answer.json();
    });
    loading.catch(() => kept.delete(from));
    kept.set(from, loading);
  }
  return kept.get(from);
}

function showHands(frame) {
  for (const hand of all(".felt .hand")) {
    const states = frame.hands[Number(hand.dataset.seat)];
    [...hand.children].forEach((item, number) => { item.dataset.state = STATES[states[number]]; });
  }
}

function span(className, text) {
  return Object.assign(document.createElement("span"), { className, textContent: text });
}

function showSlot(slot, played, cards, isTurn) {
  flag(slot, "data-turn", isTurn);
  flag(slot, "data-wins", played?.wins);
  if (!played) {
    slot.removeAttribute("data-order");
    slot.replaceChildren();
    return;
  }
  slot.dataset.order = played.order;
  slot.innerHTML = cards[played.card];
  slot.append(span("badge", played.badge));
  if (played.time) slot.append(span("time", played.time));
}

function showPieces(frame, pieces) {
  for (const element of all(".felt [data-piece]")) {
    const place = frame.pieces[element.dataset.piece];
    if (place === undefined || element.shown === place) continue;
    element.innerHTML = pieces[place];
    element.shown = place;
  }
  for (const plate of all(".felt .plate")) flag(plate, "data-turn", plate.dataset.piece === `plate-${frame.turn}`);
}

function showSteps(frame) {
  for (const control of all("[data-step]")) {
    const target = frame.steps[control.dataset.step];
    if (target) {
      control.removeAttribute("aria-disabled");
      control.removeAttribute("role");
      control.href = address(target[0], target[1], at.view);
      [control.dataset.deal, control.dataset.play] = target;
    } else {
      control.setAttribute("aria-disabled", "true");
      control.setAttribute("role", "link");
      for (const name of ["href", "data-deal", "data-play"]) control.removeAttribute(name);
    }
  }
  for (const link of all("[data-view][href]")) link.href = address(at.deal, at.play, link.dataset.view);
  one("#here").href = address(at.deal, at.play, at.view);
  showElsewhere();
}

function showElsewhere() { // links out of the replay that lead to the position shown
  for (const link of all(".languages a, .foot a[data-here]")) {
    const target = new URL(link.href);
    for (const name of ["deal", "play", "view"]) target.searchParams.set(name, at[name]);
    link.href = target.pathname + target.search;
  }
}

function mark(element, name, value) {
  if (value) element.setAttribute(name, value);
  else element.removeAttribute(name);
}

function showLists(frame) {
  for (const link of all(".plays a[data-play], .before-play a[data-play]")) {
    const play = Number(link.dataset.play);
    flag(link, "data-future", play > frame.play);
    mark(link, "aria-current", play === frame.play && "true");
  }
  for (const item of all(".tricks > li")) {
    const number = Number(item.dataset.trick);
    flag(item, "data-todo", number > frame.trick);
    flag(item, "data-open", number === frame.trick && frame.play < Number(item.firstElementChild.dataset.play));
    mark(item.firstElementChild, "aria-current", number === frame.trick && "true");
  }
  for (const row of all(".sheet tr[data-until]")) {
    const until = Number(row.dataset.until);
    row.classList.toggle("later", until > at.deal || (until === at.deal && !frame.over));
  }
}

function show(loaded, play) {
  const frame = loaded.frames[play];
  at.play = play;
  one("#replay").dataset.play = play;
  one("#trick").dataset.phase = frame.phase;
  showHands(frame);
  for (const slot of all(".slot")) {
    const seat = Number(slot.dataset.seat);
    showSlot(slot, frame.slots[seat], loaded.cards, frame.turn === seat);
  }
  showPieces(frame, loaded.pieces);
  showSteps(frame);
  showLists(frame);
  one("#said").textContent = frame.said;
  history.replaceState(null, "", address(at.deal, play, at.view));
  return frame;
}

/* ---- other deals and views: the server's page, its parts put in place of ours ---- */

async function turnTo(deal, play, view) {
  const answer = await fetch(address(deal, play, view), { headers: SPOKEN });
  if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const ticked = all("#replay input[type=checkbox]").map((box) => [box.id, box.checked]);
  const speed = one("#speed").value;
  const focused = document.activeElement;
  const again = focused?.closest?.("#replay") ? sameIn(focused) : null;
  for (const selector of SWAPPED) {
    const [ours, theirs] = [one(selector), page.querySelector(selector)];
    if (ours && theirs && document.contains(ours)) ours.replaceWith(document.adoptNode(theirs));
  }
  document.title = page.title;
  for (const [id, checked] of ticked) {
    const box = document.getElementById(id);
    if (box) box.checked = checked;
  }
  at = read();
  revealControls();
  one("#speed").value = speed;
  if (again) one(again)?.focus({ preventScroll: true });
  showElsewhere();
  history.replaceState(null, "", address(at.deal, at.play, at.view));
}

function sameIn(element) {
  if (element.id) return `#${element.id}`;
  if (element.dataset.step) return `[data-step="${element.dataset.step}"]`;
  if (element.dataset.view) return `[data-view="${element.dataset.view}"]`;
  return element.closest(".deals") ? ".deals [aria-current]" : null;
}

async function go(deal, play, view = at.view) {
  try {
    if (deal !== at.deal || view !== at.view) {
      await turnTo(deal, play, view);
      return;
    }
    const loaded = await frames();
    if (loaded.frames[play]) show(loaded, play);
  } catch {
    location.assign(address(deal, play, view)); // the link would have done this
  }
}

async function step(name) {
  try {
    const loaded = await frames();
    const target = loaded.frames[at.play].steps[name];
    if (target) await go(target[0], target[1]);
    return Boolean(target);
  } catch {
    const link = one(`[data-step="${name}"][href]`);
    if (link) location.assign(link.href);
    return false;
  }
}

function act(what) {
  doing = doing.then(what, what);
  return doing;
}

/* ---- running ---- */

function stop() {
  clearTimeout(timer);
  timer = 0;
  const button = one("#run");
  button?.setAttribute("aria-pressed", "false");
}

async function beat() {
  const before = at.play;
  if (!(await act(() => step("forward")))) {
    stop();
    return;
  }
  if (timer) timer = setTimeout(beat, await pause(before));
}

async function pause(before) {
  const pace = Number(one("#speed").value);
  const loaded = await frames();
  const frame = loaded.frames[at.play];
  const isTrickOver = at.play > before && frame.slots.every(Boolean);
  return isTrickOver ? 2 * pace : pace;
}

function run(on) {
  stop();
  if (!on) return;
  one("#run").setAttribute("aria-pressed", "true");
  timer = setTimeout(beat, 0);
}

/* ---- what the reader does ---- */

function nextView() {
  const links = all(".views [data-view]");
  const now = links.findIndex((link) => link.dataset.view === at.view);
  return links[(now + 1) % links.length].dataset.view;
}

const KEYS = {
  ArrowLeft: () => step("back"),
  ArrowRight: () => step("forward"),
  "Shift+ArrowLeft": () => step("trick_back"),
  "Shift+ArrowRight": () => step("trick_forward"),
  PageUp: () => step("deal_back"),
  PageDown: () => step("deal_forward"),
  Home: () => step("first"),
  End: () => step("last"),
  v: () => go(at.deal, at.play, nextView()),
  "?": () => one("#help").showModal(),
};

function onKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || one("#help").open) return;
  if (event.target.closest("button, input, select, textarea")) return;
  if (event.key === " ") {
    event.preventDefault();
    run(!timer);
    return;
  }
  const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const what = KEYS[event.shiftKey && event.key.startsWith("Arrow") ? `Shift+${event.key}` : letter];
  if (!what) return;
  event.preventDefault();
  stop();
  act(what);
}

function onClick(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button) return;
  if (event.target.closest("#run")) {
    if (event.detail) one("#run").blur(); // a pointer's click: the keys stay the page's
    run(!timer);
    return;
  }
  const link = event.target.closest("#replay a[data-deal][href], #replay a[data-view][href]");
  if (!link) return;
  event.preventDefault();
  stop();
  const { deal, play, view } = link.dataset;
  act(() => (view ? go(at.deal, at.play, view) : go(Number(deal), Number(play))));
}

let touched = null;

function onTouchStart(event) {
  const isOnFelt = event.touches.length === 1 && event.target.closest("#felt") && !event.target.closest("a");
  touched = isOnFelt ? { x: event.touches[0].clientX, y: event.touches[0].clientY } : null;
}

function onTouchEnd(event) {
  if (!touched) return;
  const { clientX: x, clientY: y } = event.changedTouches[0];
  const [right, down] = [x - touched.x, y - touched.y];
  touched = null;
  const isSwipe = Math.abs(right) > SWIPE_PX && Math.abs(right) > 2 * Math.abs(down);
  const isTap = Math.hypot(right, down) < 10;
  if (!isSwipe && !isTap) return;
  event.preventDefault();
  stop();
  if (isSwipe) {
    act(() => step(right < 0 ? "trick_forward" : "trick_back"));
    return;
  }
  const box = one("#felt").getBoundingClientRect();
  const name = x > box.left + box.width / 2 ? "forward" : "back";
  act(() => step(name));
}

function revealControls() {
  one("#run").hidden = false;
  one("#run").setAttribute("aria-pressed", String(Boolean(timer)));
  one("#speed-choice").hidden = false;
}

revealControls();
document.addEventListener("keydown", onKey);
document.addEventListener("click", onClick);
document.addEventListener("touchstart", onTouchStart, { passive: true });
document.addEventListener("touchend", onTouchEnd, { passive: false });
frames().catch(() => {}); // so that the first step need not wait; a failure shows at that step
