(function () {
  "use strict";
  var STEP = 50;
  var byId = function (id) { return document.getElementById(id); };
  var all = function (selector, inside) { return Array.prototype.slice.call((inside || document).querySelectorAll(selector)); };

  // Tables: a click on a column's head sorts the rows of each capability, and the capabilities by their first row.
  function value(row, column) {
    var cell = row.cells[column];
    var given = cell.dataset.v === undefined ? cell.textContent.trim() : cell.dataset.v;
    return given === "" || isNaN(given) ? given.toLowerCase() : Number(given);
  }
  function sort(table, head, descending) {
    var column = head.cellIndex;
    var compare = function (a, b) {
      var x = value(a, column), y = value(b, column);
      return (x < y ? -1 : x > y ? 1 : 0) * (descending ? -1 : 1);
    };
    var bodies = Array.prototype.slice.call(table.tBodies).map(function (body) {
      var rows = Array.prototype.slice.call(body.rows, 1).sort(compare);
      rows.forEach(function (row) { body.appendChild(row); });
      return { body: body, first: rows[0] };
    });
    bodies.sort(function (a, b) { return compare(a.first, b.first); });
    bodies.forEach(function (item) { table.appendChild(item.body); });
    all("th[aria-sort]", table).forEach(function (other) { other.setAttribute("aria-sort", "none"); });
    head.setAttribute("aria-sort", descending ? "descending" : "ascending");
  }
  all("table.relations").forEach(function (table) {
    all("th[aria-sort]", table).forEach(function (head) {
      head.addEventListener("click", function () {
        var now = head.getAttribute("aria-sort");
        sort(table, head, now === "none" ? head.cellIndex > 0 : now === "ascending");
      });
    });
  });

  // Buttons that copy: a command, or the address of a finding.
  document.addEventListener("click", function (event) {
    var button = event.target.closest(".copy");
    if (!button) return;
    var text = button.dataset.copy;
    if (text.charAt(0) === "#") text = location.href.split("#")[0] + text;
    var old = button.textContent;
    var done = function (word) { button.textContent = word; setTimeout(function () { button.textContent = old; }, 1500); };
    if (!navigator.clipboard) { window.prompt("Copy:", text); return; }
    navigator.clipboard.writeText(text).then(function () { done("copied"); }, function () { window.prompt("Copy:", text); });
  });

  // On paper everything that is drawn is unfolded.
  window.addEventListener("beforeprint", function () {
    all(".finding, .more").forEach(function (item) { item.open = true; });
  });

  var form = byId("filters");
  if (!form) return;
  var faults = JSON.parse(byId("index").textContent);
  var chunks = all("script.chunk"), read = {};
  var list = byId("list"), more = byId("more"), count = byId("count");
  var keys = ["system", "task", "capability", "relation", "state"].filter(function (key) { return form.elements[key]; });
  var chosen = faults.map(function (_, number) { return number; });
  var drawn = list.children.length;
  var place = {};
  faults.forEach(function (fault, number) { fault.ids.forEach(function (id) { place[id] = number; }); });

  function markup(number) {
    var chunk = Math.floor(number / STEP);
    read[chunk] = read[chunk] || JSON.parse(chunks[chunk].textContent);
    return read[chunk][number % STEP];
  }
  function fits(fault, wanted, words) {
    return keys.every(function (key) { return !wanted[key] || fault[key].indexOf(wanted[key]) >= 0; }) &&
      words.every(function (word) { return fault.words.indexOf(word) >= 0; });
  }
  function order(by) {
    if (!by) return;
    var text = function (fault) { return [].concat(fault[by]).join(); };
    chosen.sort(function (a, b) {
      var x = faults[a], y = faults[b];
      return by === "size" ? x.size - y.size || a - b : text(x).localeCompare(text(y)) || a - b;
    });
  }
  function draw(upTo) {
    var next = chosen.slice(drawn, upTo).map(markup).join("");
    list.insertAdjacentHTML("beforeend", next);
    drawn = Math.min(upTo, chosen.length);
    more.hidden = drawn >= chosen.length;
    more.textContent = "show " + Math.min(STEP, chosen.length - drawn) + " more";
    count.textContent = chosen.length + " of " + faults.length + " match, " + drawn + " drawn";
    document.dispatchEvent(new CustomEvent("drawn"));
  }
  function apply() {
    var wanted = {};
    keys.forEach(function (key) { wanted[key] = form.elements[key].value; });
    var words = form.elements.q.value.toLowerCase().split(/\s+/).filter(Boolean);
    chosen = [];
    faults.forEach(function (fault, number) { if (fits(fault, wanted, words)) chosen.push(number); });
    order(form.elements.sort.value);
    list.textContent = "";
    drawn = 0;
    draw(STEP);
  }

  // The address holds the filters (#relation=leet&sort=size) or one finding (#f-0a1b2c3d4e).
  function remember() {
    var parts = new URLSearchParams();
    keys.concat(["q", "sort"]).forEach(function (key) {
      if (form.elements[key].value) parts.set(key, form.elements[key].value);
    });
    history.replaceState(null, "", "#" + (parts.toString() || "findings"));
  }
  function filter(parts) {
    keys.concat(["q", "sort"]).forEach(function (key) {
      var field = form.elements[key];
      field.value = parts.get(key) || "";
      if (field.selectedIndex < 0) field.value = "";
    });
    apply();
  }
  function open(id) {
    if (!(id in place)) return;
    if (chosen.indexOf(place[id]) < 0) filter(new URLSearchParams());
    if (!byId("f-" + id)) draw(Math.ceil((chosen.indexOf(place[id]) + 1) / STEP) * STEP);
    var item = byId("f-" + id);
    for (var outer = item; outer && outer !== list; outer = outer.parentElement) if ("open" in outer) outer.open = true;
    item.scrollIntoView();
    item.querySelector("summary").focus({ preventScroll: true });
  }
  function go() {
    var hash = location.hash.slice(1);
    if (hash.indexOf("f-") === 0) return open(decodeURIComponent(hash.slice(2)));
    if (hash.indexOf("=") < 0) return;
    filter(new URLSearchParams(hash));
    byId("findings").scrollIntoView();
  }
  form.addEventListener("input", function () { apply(); remember(); });
  form.addEventListener("submit", function (event) { event.preventDefault(); });
  byId("clear").addEventListener("click", function () { filter(new URLSearchParams()); remember(); });
  more.addEventListener("click", function () { draw(drawn + STEP); });
  window.addEventListener("hashchange", go);
  form.hidden = false;
  draw(drawn);
  window.addEventListener("load", go);  // after the browser went to the fragment itself
})();
