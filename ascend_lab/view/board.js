// A row of controls over a picture that Python draws. The picture follows the newest values: while one is
// being drawn, later ones wait, and only the last of them is asked for.

function slider(control, set) {
  const box = document.createElement("label");
  const input = document.createElement("input");
  const value = document.createElement("output");
  input.type = "range";
  box.append(control.label, input, value);
  input.addEventListener("input", () => set(control.name, Number(input.value)));
  const show = (state, values, waiting) => {
    Object.assign(input, { min: 0, max: state.last, step: 1 });
    if (!waiting) input.value = values[state.name];
    value.textContent = state.text;
  };
  return { box, show };
}

function choice(control, set) {
  const box = document.createElement("label");
  const input = document.createElement("select");
  box.append(control.label, input);
  input.addEventListener("change", () => set(control.name, Number(input.value)));
  const show = (state, values) => {
    if (input.dataset.options !== state.options.join("\n")) {
      input.dataset.options = state.options.join("\n");
      input.replaceChildren(...state.options.map((text, k) => new Option(text, k)));
    }
    input.value = values[state.name];
  };
  return { box, show };
}

function button(control, press) {
  const box = document.createElement("button");
  box.textContent = control.label;
  box.title = control.title || control.label;
  box.addEventListener("click", () => press(control.name));
  const show = (state) => {
    box.disabled = state.disabled === true;
  };
  return { box, show };
}

function render({ model, el }) {
  el.classList.add("al-board");
  el.tabIndex = 0;
  const bar = document.createElement("div");
  bar.className = "al-board-bar";
  const picture = document.createElement("div");
  el.append(bar, picture);

  let asked = 0;
  let next = null;
  const send = (message) => {
    asked = Math.max(asked, model.get("drawn")) + 1;
    model.send({ ...message, asked });
  };
  const ask = (message) => {
    if (asked > model.get("drawn")) next = message;
    else send(message);
  };
  const set = (name, value) => ask({ set: name, value });
  const press = (name) => ask({ press: name });
  asked = model.get("drawn");

  const parts = new Map();
  const make = { slider, choice, button };
  for (const row of model.get("controls")) {
    const line = document.createElement("div");
    for (const control of row) {
      const part = make[control.kind](control, control.kind === "button" ? press : set);
      part.box.dataset.name = control.name;
      parts.set(control.name, part);
      line.append(part.box);
    }
    bar.append(line);
  }

  const update = () => {
    const values = model.get("values");
    for (const row of model.get("controls")) {
      for (const control of row) parts.get(control.name).show(control, values, next !== null);
    }
    picture.innerHTML = model.get("html");
    if (next !== null && asked <= model.get("drawn")) {
      const message = next;
      next = null;
      send(message);
    }
  };
  model.on("change:drawn", update);
  update();

  el.addEventListener("keydown", (event) => {
    const name = model.get("shortcuts")[event.key];
    if (name && event.target.tagName !== "SELECT" && event.target.type !== "range") {
      event.preventDefault();
      event.stopPropagation();
      press(name);
    }
  });
  return () => model.off("change:drawn", update);
}

export default { render };
