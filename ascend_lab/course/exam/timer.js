// Counts down in the browser, from what the kernel says is left. The browser's own clock does not matter.
function face(seconds) {
  const whole = Math.abs(Math.trunc(seconds));
  const two = (n) => String(n).padStart(2, "0");
  return `${Math.trunc(whole / 3600)}:${two(Math.trunc(whole / 60) % 60)}:${two(whole % 60)}`;
}

function face_of(className) {
  const box = document.createElement("div");
  box.className = className;
  const said = document.createElement("span");
  const time = document.createElement("b");
  box.append(said, time);
  return { box, said, time };
}

function render({ model, el }) {
  const own = face_of("al-exam-timer");
  // The same once more in a corner, while this cell is scrolled out of sight.
  const corner = face_of("al-exam-timer al-exam-corner");
  el.append(own.box);
  document.querySelectorAll(".al-exam-corner").forEach((old) => old.remove());
  corner.box.hidden = true;
  document.body.append(corner.box);
  const seen = new IntersectionObserver((entries) => {
    corner.box.hidden = entries[entries.length - 1].isIntersecting;
  });
  seen.observe(own.box);
  const began = performance.now();
  const draw = () => {
    const left = model.get("left") - (performance.now() - began) / 1000;
    for (const { box, said, time } of [own, corner]) {
      box.dataset.state = left <= 0 ? "over" : left <= model.get("warn") ? "soon" : "running";
      said.textContent = left <= 0 ? model.get("over") : model.get("label");
      time.textContent = face(left);
    }
  };
  draw();
  const every = setInterval(draw, 500);
  return () => {
    clearInterval(every);
    seen.disconnect();
    corner.box.remove();
  };
}

export default { render };
