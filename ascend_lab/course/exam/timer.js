// Counts down in the browser, from what the kernel says is left. The browser's own clock does not matter.
function face(seconds) {
  const whole = Math.abs(Math.trunc(seconds));
  const two = (n) => String(n).padStart(2, "0");
  return `${Math.trunc(whole / 3600)}:${two(Math.trunc(whole / 60) % 60)}:${two(whole % 60)}`;
}

function render({ model, el }) {
  const box = document.createElement("div");
  box.className = "al-exam-timer";
  const said = document.createElement("span");
  const time = document.createElement("b");
  box.append(said, time);
  el.append(box);
  const began = performance.now();
  const draw = () => {
    const left = model.get("left") - (performance.now() - began) / 1000;
    box.dataset.state = left <= 0 ? "over" : left <= model.get("warn") ? "soon" : "running";
    said.textContent = left <= 0 ? model.get("over") : model.get("label");
    time.textContent = face(left);
  };
  draw();
  const every = setInterval(draw, 500);
  return () => clearInterval(every);
}

export default { render };
