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
  document.addEventListener("click", function (event) {
    var head = event.target.closest("table.relations th[aria-sort]");
    if (!head) return;
    var now = head.getAttribute("aria-sort");
    sort(head.closest("table"), head, now === "none" ? head.cellIndex > 0 : now === "ascending");
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

  // A link to the open pairs of a relation unfolds them.
  function unfold() {
    var group = location.hash.indexOf("#open-") === 0 && byId(location.hash.slice(1));
    if (group) group.open = true;
  }
  window.addEventListener("hashchange", unfold);
  unfold();

  // On paper everything that is drawn is unfolded.
  window.addEventListener("beforeprint", function () {
    all(".finding, .more, .note").forEach(function (item) { item.open = true; });
  });

  // Labels: shown on every page, given on one that is served.
  var server = document.querySelector("meta[name=mutatis-token]");
  var labels = JSON.parse(byId("labels").textContent), words = JSON.parse(byId("words").textContent);
  var labelled = function () {};
  function make(name, properties, children) {
    var made = Object.assign(document.createElement(name), properties);
    (children || []).forEach(function (child) { made.append(child); });
    return made;
  }
  function tag(item) {
    var label = labels[item.id.slice(2)], old = item.querySelector("summary .label-tag");
    if (old) old.remove();
    if (label) item.querySelector("summary").lastElementChild.append(make("span", { className: "tag label-tag " + label.label, textContent: label.says }));
  }
  var saying = Promise.resolve();  // one after the other, so that what was said last stands
  function say(id, label, told) {
    saying = saying.then(function () {
      return fetch("label", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Mutatis-Token": server.content },
        body: JSON.stringify({ finding: id, label: label })
      });
    }).then(function (response) {
      if (!response.ok) return response.text().then(function (text) { throw new Error(text); });
      return response.json();
    }).then(function (answer) {
      if (answer.says) labels[id] = { label: label.label, comment: label.comment, says: answer.says };
      else delete labels[id];
      tag(byId("f-" + id));
      labelled(id);
      told.textContent = "kept";
    }).catch(function (error) { told.textContent = "not kept: " + error.message; });
  }
  function offer(item) {
    var tools = item.querySelector(":scope > .body > .tools"), id = item.id.slice(2), known = labels[id] || {};
    if (!server || !tools || tools.nextElementSibling && tools.nextElementSibling.className === "label") return;
    var told = make("span", { className: "where" });
    told.setAttribute("role", "status");
    var comment = make("input", { type: "text", value: known.comment || "", placeholder: "comment", maxLength: 2000 });
    comment.setAttribute("aria-label", "comment");
    var inputs = Object.keys(words).concat("").map(function (word) {
      return make("input", { type: "radio", name: "label-" + id, value: word, checked: (known.label || "") === word });
    });
    var choices = inputs.map(function (input) { return make("label", {}, [input, " " + (words[input.value] || "not said")]); });
    var box = make("fieldset", { className: "label" }, [make("legend", { textContent: "Is it a real bug?" })].concat(choices, comment, told));
    box.addEventListener("change", function () {
      var chosen = inputs.filter(function (input) { return input.checked; })[0];
      say(id, { label: chosen ? chosen.value : "", comment: comment.value }, told);
    });
    tools.after(box);
  }
  document.addEventListener("toggle", function (event) {
    if (event.target.open && event.target.id.indexOf("f-") === 0) offer(event.target);
  }, true);

  // While a run goes on, the numbers are drawn anew; findings wait for the reader.
  function follow(live) {
    fetch("state").then(function (response) { return response.json(); }).then(function (state) {
      if (state.version === server.dataset.version) return state.live;
      server.dataset.version = state.version;
      live.textContent = !state.live ? "the run is finished " : !state.judged ? "the run goes on: nothing is decided yet " : "the run goes on: " + state.violated + " of " + state.judged + " verdicts violated so far ";
      live.append(make("button", { type: "button", textContent: "show all", onclick: function () { location.reload(); } }));
      return fetch(location.pathname).then(function (response) { return response.text(); }).then(function (text) {
        var fresh = new DOMParser().parseFromString(text, "text/html");
        ["summary", "rates"].forEach(function (id) { byId(id).replaceWith(document.adoptNode(fresh.getElementById(id))); });
        var none = byId("nothing"), still = fresh.getElementById("nothing");
        if (none) none.textContent = still ? still.textContent : "There are findings now.";
        return state.live;
      });
    }).then(function (goesOn) { if (goesOn) setTimeout(follow, 2000, live); }, function () { live.textContent = "the server has ended"; });
  }
  if (server && byId("live").textContent) setTimeout(follow, 2000, byId("live"));

  var form = byId("filters");
  if (!form) return;
  var faults = JSON.parse(byId("index").textContent);
  var chunks = all("script.chunk"), read = {};
  var list = byId("list"), more = byId("more"), count = byId("count");
  var keys = ["system", "task", "capability", "relation", "state", "label"].filter(function (key) { return form.elements[key]; });
  var chosen = faults.map(function (_, number) { return number; });
  var drawn = list.children.length;
  var place = {};
  faults.forEach(function (fault, number) { fault.ids.forEach(function (id) { place[id] = number; }); });
  labelled = function (id) {
    var fault = faults[place[id]];
    fault.label = fault.ids.map(function (one) { return labels[one] && labels[one].label; }).filter(Boolean);
  };

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
    all(".finding, .seen", list).forEach(function (item) { tag(item); if (item.open) offer(item); });
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
