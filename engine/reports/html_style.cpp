// SPDX-License-Identifier: MIT
#include "engine/reports/html_style.hpp"

namespace splitscope {

std::string_view html_style() {
    return R"css(
:root{color-scheme:light dark;--page:#fbfbf9;--panel:#ffffff;--ink:#1d2126;--soft:#5c6570;--rule:#e2e3de;
--head:#f3f4f0;--accent:#0b63a5;--copy:#b3261e;--bad:#b3261e;--badbg:#fdecea}
@media (prefers-color-scheme:dark){:root{--page:#15181c;--panel:#1c2025;--ink:#e4e7ea;--soft:#9aa4af;--rule:#31373e;
--head:#23282e;--accent:#6cb6f0;--copy:#ff8f86;--bad:#ffb4ab;--badbg:#3b1f1d}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.55 system-ui,"Segoe UI","Helvetica Neue",Arial,
"DejaVu Sans",sans-serif}
header,main,footer{max-width:1120px;margin:0 auto;padding:0 28px}
header{padding-top:40px}
h1{font-size:30px;line-height:1.2;margin:0 0 8px;letter-spacing:-.01em;overflow-wrap:anywhere}
h2{font-size:21px;margin:48px 0 10px;padding-top:14px;border-top:1px solid var(--rule);letter-spacing:-.005em}
h3{font-size:16px;margin:26px 0 8px}
p{margin:6px 0;max-width:78ch}
.kind{color:var(--soft);font-size:13px;letter-spacing:.04em;text-transform:uppercase;margin:0 0 6px}
.headline{font-size:16.5px;max-width:90ch}
.note,figcaption{color:var(--soft);font-size:13.5px}
.error{background:var(--badbg);color:var(--bad);border:1px solid currentColor;border-radius:8px;padding:10px 14px;
margin:16px 0;overflow-wrap:anywhere}
nav{display:flex;flex-wrap:wrap;gap:4px 18px;margin:18px 0 0;font-size:14px}
a{color:var(--accent);text-decoration:none}
a:hover{text-decoration:underline}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(170px,1fr));gap:10px;margin:20px 0}
.tiles{list-style:none;padding:0}
.tiles li{background:var(--panel);border:1px solid var(--rule);border-radius:9px;padding:10px 14px}
.tiles span{display:block;color:var(--soft);font-size:12.5px}
.tiles b{display:block;margin:2px 0 0;font-size:17px;font-weight:600;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
dl.facts{display:grid;grid-template-columns:max-content 1fr;gap:4px 22px;margin:12px 0}
dl.facts dt{color:var(--soft)}
dl.facts dd{margin:0;overflow-wrap:anywhere}
.scroll{overflow-x:auto;background:var(--panel);border:1px solid var(--rule);border-radius:9px;margin:8px 0 18px}
table{border-collapse:collapse;width:100%;font-size:13.5px;font-variant-numeric:tabular-nums}
th,td{padding:6px 12px;text-align:left;vertical-align:top;border-bottom:1px solid var(--rule)}
tr:last-child td{border-bottom:0}
th{background:var(--head);font-weight:600;white-space:nowrap;position:sticky;top:0}
th button{all:unset;cursor:pointer}
th button:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:2px}
th[aria-sort=ascending] button::after{content:" ▲";font-size:.75em}
th[aria-sort=descending] button::after{content:" ▼";font-size:.75em}
.n{text-align:right;white-space:nowrap}
.m{white-space:nowrap;font-family:ui-monospace,"Cascadia Mono","SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:12.5px}
.e{min-width:20em;overflow-wrap:anywhere}
td.b{white-space:nowrap}
.c::before{content:"";display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:7px}
.key{display:flex;flex-wrap:wrap;gap:4px 18px;color:var(--soft);font-size:13.5px;margin:6px 0}
.long{max-height:560px;overflow-y:auto}
details{margin:8px 0}
summary{cursor:pointer;padding:7px 2px;font-weight:600}
summary span{font-weight:400;color:var(--soft)}
details.pass{background:var(--panel);border:1px solid var(--rule);border-radius:9px;padding:2px 16px;margin:8px 0}
details.pass[open]{padding-bottom:10px}
input.filter{font:inherit;font-size:13.5px;color:inherit;background:var(--panel);border:1px solid var(--rule);
border-radius:7px;padding:5px 10px;width:min(320px,100%)}
button.fold{font:inherit;font-size:13.5px;color:var(--accent);background:none;border:1px solid var(--rule);
border-radius:7px;padding:4px 12px;cursor:pointer}
figure{margin:12px 0 22px}
figure .scroll{padding:10px}
svg{display:block;max-width:none}
.fit svg{width:100%;height:auto}
svg text{fill:var(--ink);font:13px system-ui,"Segoe UI","Helvetica Neue",Arial,"DejaVu Sans",sans-serif}
svg .tick{fill:var(--soft);font-size:12px}
svg .boxtitle{font-weight:600}
svg .bed{fill:var(--panel)}
svg .lane{font-weight:700;font-size:15px;fill:var(--ink)}
svg .grid{stroke:var(--rule);fill:none}
svg .line{fill:none;stroke-width:1.6}
svg .extent{fill:none;stroke:var(--soft);stroke-dasharray:3 3}
svg .peak{fill:var(--copy);stroke:var(--panel);stroke-width:1.5}
svg .mark{font-weight:600;paint-order:stroke;stroke:var(--panel);stroke-width:4px;stroke-linejoin:round}
svg .copy{fill:none;stroke:var(--copy);stroke-width:1.6}
svg .head{fill:var(--copy)}
svg .copylabel{fill:var(--copy);font-size:12px;paint-order:stroke;stroke:var(--panel);stroke-width:4px;
stroke-linejoin:round}
svg .blocks rect{stroke-width:.3;stroke-opacity:.8}
svg .s0{fill-opacity:.16}svg .s1{fill-opacity:.28}svg .s2{fill-opacity:.4}svg .s3{fill-opacity:.52}
svg .s4{fill-opacity:.75}
svg .lanebed{fill:var(--head)}
svg .compute{fill-opacity:.75}
svg .copying{fill:var(--copy)}
svg .wait{fill:var(--soft);fill-opacity:.45}
blockquote{margin:12px 0;padding:10px 18px;border-left:3px solid var(--accent);background:var(--panel);
white-space:pre-wrap;overflow-wrap:anywhere;font-family:Georgia,"Times New Roman","DejaVu Serif",serif;font-size:16px}
blockquote b{color:var(--soft);font-weight:400}
footer{margin-top:56px;padding-top:14px;padding-bottom:40px;color:var(--soft);font-size:13.5px}
@media (max-width:640px){header,main,footer{padding-left:14px;padding-right:14px}
dl.facts{grid-template-columns:1fr;gap:0}dl.facts dd{margin-bottom:8px}}
@media print{:root{--page:#fff;--panel:#fff;--ink:#000;--soft:#444;--rule:#bbb;--head:#eee;--copy:#a00}
body{font-size:10.5pt}header,main,footer{max-width:none;padding-left:0;padding-right:0}
nav,input.filter,button.fold{display:none}.scroll,.long{overflow:visible;max-height:none;border:0}
table{font-size:8.5pt}th{position:static}tr,figure,details.pass>summary{break-inside:avoid}h2,h3{break-after:avoid}
thead{display:table-header-group}svg{max-width:100%;height:auto}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
)css";
}

std::string_view html_script() {
    return R"js(
"use strict";
(function () {
  function value(row, column, numeric) {
    var cell = row.cells[column];
    if (!numeric) return cell.textContent.toLowerCase();
    var v = cell.getAttribute("data-v");
    return v === null || v === "" ? -Infinity : parseFloat(v);
  }
  document.querySelectorAll("table.sortable th").forEach(function (head) {
    var button = head.querySelector("button");
    button.addEventListener("click", function () {
      var body = head.closest("table").tBodies[0];
      var numeric = head.classList.contains("n");
      var up = head.getAttribute("aria-sort") !== "ascending";
      head.parentNode.querySelectorAll("th").forEach(function (h) { h.removeAttribute("aria-sort"); });
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      var keyed = Array.from(body.rows).map(function (row, i) {
        return { row: row, key: value(row, head.cellIndex, numeric), i: i };
      });
      keyed.sort(function (a, b) {
        var order = a.key < b.key ? -1 : a.key > b.key ? 1 : 0;
        return (up ? order : -order) || a.i - b.i;
      });
      var all = document.createDocumentFragment();
      keyed.forEach(function (k) { all.appendChild(k.row); });
      body.appendChild(all);
    });
  });
  document.querySelectorAll("input.filter").forEach(function (input) {
    input.addEventListener("input", function () {
      var wanted = input.value.toLowerCase();
      var rows = document.getElementById(input.getAttribute("data-for")).tBodies[0].rows;
      for (var i = 0; i < rows.length; i++) {
        rows[i].hidden = wanted !== "" && rows[i].textContent.toLowerCase().indexOf(wanted) < 0;
      }
    });
  });
  document.querySelectorAll("button.fold").forEach(function (button) {
    button.addEventListener("click", function () {
      var open = button.getAttribute("aria-expanded") !== "true";
      button.setAttribute("aria-expanded", String(open));
      button.textContent = open ? "Close all" : "Open all";
      button.closest("section").querySelectorAll("details").forEach(function (d) { d.open = open; });
    });
  });
})();
)js";
}

}  // namespace splitscope
