// Steps through a trace: marks the step, its line and its heap. Arrow keys move within the current finding.
(() => {
  document.body.classList.add("scripted");
  for (const line of document.querySelectorAll("pre .line")) {
    if (line.nextSibling && line.nextSibling.nodeType === Node.TEXT_NODE) line.nextSibling.remove();
  }
  let current = null;
  const sources = [...document.querySelectorAll(".source")];
  const heaps = [...document.querySelectorAll(".heaps figure")];
  const show = (step) => {
    document.querySelectorAll(".current").forEach((element) => element.classList.remove("current"));
    current = step;
    step.classList.add("current");
    const line = document.getElementById(step.dataset.line);
    sources.forEach((source) => { source.hidden = !(line && source.contains(line)); });
    heaps.forEach((heap) => { heap.hidden = heap.id !== step.dataset.heap; });
    const box = document.querySelector(".heaps");
    if (box) box.hidden = !step.dataset.heap;
    if (line) {
      // Scroll the source alone, not the page around it.
      line.classList.add("current");
      const source = line.closest(".source");
      source.scrollTop = line.offsetTop - source.clientHeight / 2;
    }
  };
  const go = (steps, by) => {
    const at = steps.indexOf(current);
    const next = at < 0 ? 0 : Math.min(Math.max(at + by, 0), steps.length - 1);
    if (steps[next]) show(steps[next]);
  };
  const stepsOf = (element) => [...element.closest(".finding").querySelectorAll("li[data-line]")];
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-go]");
    if (button) return go(stepsOf(button), Number(button.dataset.go));
    const link = event.target.closest("a[href^='#s']");
    if (link) {
      const line = document.getElementById(link.hash.slice(1));
      sources.forEach((source) => { source.hidden = !(line && source.contains(line)); });
    }
    const step = event.target.closest("li[data-line]");
    if (step) show(step);
  });
  document.addEventListener("keydown", (event) => {
    if (!current) return;
    if (event.key === "ArrowRight" || event.key === "ArrowDown") { event.preventDefault(); go(stepsOf(current), 1); }
    if (event.key === "ArrowLeft" || event.key === "ArrowUp") { event.preventDefault(); go(stepsOf(current), -1); }
  });
  const last = document.querySelector(".finding li[data-line]:last-of-type");
  if (last) show(last);
})();
