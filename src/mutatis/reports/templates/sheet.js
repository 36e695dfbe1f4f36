(function () {
  "use strict";
  var items = Array.prototype.slice.call(document.querySelectorAll(".item"));
  var label = JSON.parse(document.getElementById("column").textContent);
  var save = document.getElementById("save");
  var done = document.getElementById("done");
  function value(item) {
    var input = item.querySelector("input.value:not([type=radio])") || item.querySelector("input.value:checked");
    return input && input.checkValidity() ? input.value : "";
  }
  function cell(text) {
    return '"' + (/^\s*[=+\-@]/.test(text) ? "'" : "") + text.replace(/"/g, '""') + '"';
  }
  function count() {
    var filled = items.filter(function (item) { return value(item) !== ""; }).length;
    done.textContent = filled + " of " + items.length + " labelled";
  }
  save.addEventListener("click", function () {
    var lines = ["number,item," + label + ",comment"].concat(items.map(function (item) {
      var cells = [item.dataset.number, item.dataset.item, value(item), item.querySelector(".comment").value];
      return cells.map(cell).join(",");
    }));
    var link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([lines.join("\r\n") + "\r\n"], { type: "text/csv" }));
    link.download = "labels.csv";
    link.click();
  });
  document.addEventListener("input", count);
  save.disabled = false;
  count();
})();
