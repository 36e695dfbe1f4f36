(function () {
  "use strict";
  var STEP = 25;
  var table = document.querySelector("table.grid"), form = document.getElementById("filters");
  var more = document.getElementById("more"), count = document.getElementById("count");
  var chunks = Array.prototype.slice.call(document.querySelectorAll("script.chunk"));
  var bodies = [];  // the HTML of each input, unpacked when it is first looked at
  function body(place) {
    var chunk = Math.floor(place / STEP);
    if (!bodies[chunk]) bodies[chunk] = JSON.parse(chunks[chunk].textContent);
    return bodies[chunk][place % STEP];
  }
  var last = chunks.length ? JSON.parse(chunks[chunks.length - 1].textContent).length : 0;
  var total = chunks.length ? (chunks.length - 1) * STEP + last : 0;
  var next = 0, inputs = 0, rows = 0, wanted = {};

  // As the rows are written, so that most inputs are passed over without being drawn.
  function escaped(text) {
    return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&#34;").replace(/'/g, "&#39;");
  }
  // What is kept of an input: all of it where its own text has the words, else the follow-ups that fit.
  function fitting(html) {
    if (wanted.q && html.toLowerCase().replace(/<[^>]*>/g, "").indexOf(wanted.escaped) < 0) return null;
    var holder = document.createElement("table");
    holder.innerHTML = html;
    var item = holder.tBodies[0], head = item.rows[0];
    var inHead = !wanted.q || head.textContent.toLowerCase().indexOf(wanted.q) >= 0;
    Array.prototype.slice.call(item.rows, 1).forEach(function (row) {
      var kept = (!wanted.relation || row.dataset.relation === wanted.relation)
        && (!wanted.outcome || row.dataset.outcome.split(" ").indexOf(wanted.outcome) >= 0)
        && (inHead || row.textContent.toLowerCase().indexOf(wanted.q) >= 0);
      if (!kept) row.remove();
    });
    return item.rows.length > 1 ? item : null;
  }
  function draw() {
    var drawn = 0;
    while (next < total && drawn < STEP) {
      var item = fitting(body(next));
      next += 1;
      if (!item) continue;
      table.appendChild(item);
      drawn += 1; inputs += 1; rows += item.rows.length - 1;
    }
    more.hidden = next >= total;
    count.textContent = rows + (rows === 1 ? " follow-up of " : " follow-ups of ") + inputs + (inputs === 1 ? " input" : " inputs") + (more.hidden ? "" : " so far");
  }
  function again() {
    wanted = {};
    Array.prototype.slice.call(form.elements).forEach(function (element) {
      if (element.name) wanted[element.name] = element.name === "q" ? element.value.trim().toLowerCase() : element.value;
    });
    wanted.escaped = escaped(wanted.q);
    Array.prototype.slice.call(table.tBodies).forEach(function (item) { item.remove(); });
    next = inputs = rows = 0;
    draw();
  }
  form.hidden = false;
  form.addEventListener("input", again);
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  document.getElementById("clear").addEventListener("click", function () { form.reset(); again(); });
  more.addEventListener("click", draw);
  again();
})();
