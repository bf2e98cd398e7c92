"use strict";
// Fills empty drawings with what the page's data says of a placement or of a step; all texts come ready-made.
const data = JSON.parse(document.getElementById("data").textContent);
const TINTS = 12, GROUPS = 8, WAY = 14.5;
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const list = (number) => data.lists[number];

function element(tag, text, attributes = {}) {
  const found = document.createElement(tag);
  found.textContent = text;
  for (const [name, value] of Object.entries(attributes)) found.setAttribute(name, value);
  return found;
}

function letter(number) {
  let name = "";
  for (; number >= 0; number = Math.floor(number / 26) - 1) name = String.fromCharCode(65 + (number % 26)) + name;
  return name;
}

function tint(value, count) {
  const last = Math.max(count - 1, 1);
  return `tint${Math.floor((2 * (TINTS - 1) * value + last) / (2 * last))}`;
}

const phone = matchMedia("(max-width: 40rem)");

// Put a drawing of the placement's devices into `canvas`; `cell(place)` says how each device is to look.
function draw(canvas, placement, label, describedBy, cell) {
  const svg = document.getElementById(`${phone.matches ? "phone" : "frame"}-${placement.frame}`).content.firstElementChild.cloneNode(true);
  svg.setAttribute("width", svg.viewBox.baseVal.width);
  svg.setAttribute("aria-label", label);
  svg.setAttribute("aria-describedby", describedBy);
  const titles = list(placement.titles[phone.matches ? 1 : 0]);
  all(".unit", svg).forEach((title, place) => { title.textContent = titles[place]; });
  const numbers = all(".number", svg), details = all(".detail", svg), bars = all(".held", svg), way = [];
  all(".cell", svg).forEach((box, place) => {
    const { text, fill, followed = false, held = 0 } = cell(place);
    const edge = followed ? "accent" : "line", width = box.width.baseVal.value;
    box.setAttribute("class", `cell fill-${fill} stroke-${edge}`);
    box.setAttribute("stroke-width", followed ? 2.5 : 1);
    numbers[place].textContent = list(placement.devices)[place];
    details[place].textContent = text;
    bars[place].setAttribute("width", ((width - 8) * Math.min(held, 1000)) / 1000);
    if (followed) way.push(`${box.x.baseVal.value + width / 2},${box.y.baseVal.value + WAY}`);
  });
  svg.querySelector(".ring").setAttribute("points", way.join(" "));
  canvas.replaceChildren(svg);
}

function fillRows(table, rows) {
  const numeric = all("thead th", table).map((head) => head.className);
  table.tBodies[0].replaceChildren(...rows.map((cells) => {
    const row = document.createElement("tr");
    row.append(...cells.map((text, place) => {
      const attributes = { ...(place ? {} : { scope: "row" }), ...(numeric[place] ? { class: numeric[place] } : {}) };
      return element(place ? "td" : "th", text, attributes);
    }));
    return row;
  }));
}

const fillOptions = (select, texts) => select.replaceChildren(...texts.map((text, value) => element("option", text, { value })));

function showCluster(placement, axis) {
  const canvas = document.querySelector("[data-cluster]");
  const coordinates = placement.coordinates.map(list);
  const label = `Placement ${placement.matrix} on the cluster: ${placement.name}`;
  draw(canvas, placement, label, "cluster-words", (place) => ({
    text: coordinates.map((own) => own[place]).join(","),
    fill: tint(coordinates[axis][place], data.axes[axis].size),
  }));
  document.getElementById("cluster-words").textContent = placement.words[axis];
  const devices = list(placement.devices);
  fillRows(document.querySelector("[data-devices]"), devices.map((device, place) => [device, ...coordinates.map((own) => own[place])]));
}

// The programs of a placement: which of them is shown, at which step, and which group is followed.
class Stepper {
  constructor(root) {
    this.root = root;
    this.find = (selector) => root.querySelector(selector);
    this.number = Number(this.find("[data-program]").value);
    this.find("[data-program]").addEventListener("change", (event) => this.choose(this.placement, Number(event.target.value)));
    this.find("[data-group]").addEventListener("change", () => this.drawStep());
    for (const button of all("[data-go]", root)) button.addEventListener("click", () => this.go(this.step + Number(button.dataset.go)));
    this.find("[data-stepper]").addEventListener("keydown", (event) => this.key(event));
  }

  choose(placement, program) {
    if (placement !== this.placement) fillOptions(this.find("[data-program]"), data.programs[placement].map((one) => one.label));
    [this.placement, this.number] = [placement, program];
    this.program = data.programs[placement][program];
    this.find("[data-program]").value = program;
    const steps = this.program ? this.program.steps : [];
    this.find("[data-text]").replaceChildren(element("code", this.program ? this.program.text : "no program within the limit"));
    fillRows(this.find("[data-steps]"), steps.map((step) => step.cells));
    this.find("[data-timeline]").replaceChildren(...steps.map((step, place) => this.timelineItem(step, place)));
    this.find("[data-stepper]").hidden = !steps.length;
    this.find(".walk").hidden = steps.length < 2;
    this.find("[data-note]").textContent = data.placements[placement].note;
    if (steps.length) this.go(0);
  }

  timelineItem(step, place) {
    const item = document.createElement("li");
    const button = element("button", `${place + 1} ${step.cells[1]}`, { type: "button" });
    button.addEventListener("click", () => this.go(place));
    item.style.flexGrow = step.share;
    item.append(button);
    return item;
  }

  key(event) {
    const last = this.program.steps.length - 1;
    const targets = { ArrowLeft: this.step - 1, ArrowRight: this.step + 1, Home: 0, End: last };
    if (!(event.key in targets) || event.target.tagName === "SELECT" || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    this.go(targets[event.key]);
  }

  go(step) {
    const { steps } = this.program;
    this.step = Math.min(Math.max(step, 0), steps.length - 1);
    const current = steps[this.step];
    const mark = (item, place) => (place === this.step ? item.setAttribute("aria-current", "step") : item.removeAttribute("aria-current"));
    all("[data-timeline] button", this.root).forEach(mark);
    all("[data-steps] tbody tr", this.root).forEach(mark);
    const [previous, next] = all("[data-go]", this.root);
    // A button that is disabled loses the focus, so the focus moves to the other one first.
    const [done, other] = this.step === 0 ? [previous, next] : [next, previous];
    if (document.activeElement === done && steps.length > 1 && [0, steps.length - 1].includes(this.step)) other.focus();
    [previous.disabled, next.disabled] = [this.step === 0, this.step === steps.length - 1];
    this.find("[data-say]").textContent = current.say;
    this.find("[data-groups]").replaceChildren(...list(current.lines).map((line) => element("li", line)));
    const count = Math.max(...list(current.groups)) + 1;
    fillOptions(this.find("[data-group]"), current.local ? ["none"] : Array.from({ length: count }, (_, group) => letter(group)));
    this.drawStep();
  }

  drawStep() {
    const current = this.program.steps[this.step], groups = list(current.groups), held = list(current.held);
    const followed = Number(this.find("[data-group]").value);
    const label = `Groups of step ${this.step + 1} on the cluster`;
    draw(this.find("[data-drawing]"), data.placements[this.placement], label, this.find("[data-say]").id, (place) => {
      const group = groups[place], inside = group >= 0;
      return {
        text: !inside ? "" : current.local ? "local" : letter(group),
        fill: !inside ? "inset" : current.local ? "soft" : `group${group % GROUPS}`,
        followed: inside && !current.local && group === followed,
        held: held[place],
      };
    });
  }
}

// What is said of a placement: a sentence and a table's rows.
function showText(text) {
  document.querySelector("[data-sentence]").textContent = text.sentence;
  fillRows(document.querySelector("[data-rows]"), text.rows);
}

const programs = document.querySelector("[data-programs]");
const stepper = programs && new Stepper(programs);
const axisChoice = document.querySelector("[data-axis]");
let chosen = 0;

// The programs of a reduction differ from placement to placement; the reductions of a job, one program each, do not.
function choosePlacement(number) {
  chosen = number;
  for (const select of all("[data-placement]")) select.value = number;
  showCluster(data.placements[number], Number(axisChoice.value));
  if (data.texts.length) showText(data.texts[number]);
  if (stepper) stepper.choose(number, data.texts.length ? stepper.number : 0);
}

for (const select of all("[data-placement]")) select.addEventListener("change", () => choosePlacement(Number(select.value)));
axisChoice.addEventListener("change", () => showCluster(data.placements[chosen], Number(axisChoice.value)));
for (const controls of all(".controls")) controls.hidden = false;
phone.addEventListener("change", () => { showCluster(data.placements[chosen], Number(axisChoice.value)); if (stepper && stepper.program) stepper.drawStep(); });
choosePlacement(Number(document.querySelector("[data-placement]").value));
