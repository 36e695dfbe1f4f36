(function () {
  "use strict";
  var form = document.getElementById("filters");
  if (!form) return;
  var findings = Array.prototype.slice.call(document.querySelectorAll(".finding"));
  var shown = document.getElementById("shown");
  var unfold = document.getElementById("unfold");
  function apply() {
    var wanted = ["system", "task", "relation"].map(function (name) { return [name, form.elements[name].value]; });
    var state = form.elements.state.value;
    var words = form.elements.search.value.toLowerCase().trim();
    var count = 0;
    findings.forEach(function (item) {
      var fits = wanted.every(function (pair) { return !pair[1] || item.dataset[pair[0]] === pair[1]; });
      fits = fits && (!state || item.dataset.state.split(" ").indexOf(state) >= 0);
      fits = fits && (!words || item.dataset.search.indexOf(words) >= 0);
      item.hidden = !fits;
      count += fits ? 1 : 0;
    });
    shown.textContent = count + " of " + findings.length + " shown";
  }
  form.addEventListener("input", apply);
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  unfold.addEventListener("click", function () {
    var open = unfold.textContent === "unfold all";
    findings.forEach(function (item) { if (!item.hidden) item.open = open; });
    unfold.textContent = open ? "fold all" : "unfold all";
  });
  document.querySelectorAll(".pick").forEach(function (link) {
    link.addEventListener("click", function () {
      ["system", "task", "relation"].forEach(function (name) { form.elements[name].value = link.dataset[name]; });
      ["system", "task", "relation"].forEach(function (name) {
        if (form.elements[name].selectedIndex < 0) form.elements[name].value = "";
      });
      apply();
    });
  });
  form.hidden = false;
  apply();
})();
