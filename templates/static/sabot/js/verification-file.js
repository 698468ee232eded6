// Starts Python in this page, lets it check the file within, and shows what it found. Asks no server.
(() => {
  "use strict";

  const NO_NETWORK = "https://offline.invalid/";
  const LOCK = JSON.stringify({
    info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten", version: "0", python: "3.14" },
    packages: {},
  });
  const status = document.getElementById("status");
  const result = document.getElementById("result");
  const began = performance.now();
  let python = null;
  let file = document.getElementById("file").textContent;
  let known = "";

  // Each part is compressed and in base64: a page has only text.
  async function part(name) {
    const bytes = Uint8Array.from(atob(document.getElementById(name).textContent), (c) => c.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  }

  async function load(name) {
    const address = URL.createObjectURL(new Blob([await part(name)], { type: "text/javascript" }));
    return import(address);
  }

  async function start() {
    const [{ loadPyodide }, engine] = await Promise.all([load("pyodide.mjs"), load("pyodide.asm.mjs")]);
    const files = new Map([
      ["pyodide.asm.wasm", [await part("pyodide.asm.wasm"), "application/wasm"]],
      ["python_stdlib.zip", [await part("python_stdlib.zip"), "application/zip"]],
    ]);
    globalThis.fetch = async (address) => {
      const [bytes, type] = files.get(String(address).slice(NO_NETWORK.length));
      return new Response(bytes, { headers: { "Content-Type": type } });
    };
    globalThis.python = python = await loadPyodide({
      indexURL: NO_NETWORK,
      lockFileContents: LOCK,
      createPyodideModule: engine.default,
    });
    python.unpackArchive(await part("sabot.zip"), "zip", { extractDir: "/sabot" });
    python.runPython("import sys; sys.path.insert(0, '/sabot')");
    python.pyimport("casino.backoffice.verification_files.browser.start").start();
  }

  function show() {
    const language = document.documentElement.lang;
    const start = python.pyimport("casino.backoffice.verification_files.browser.start");
    result.innerHTML = start.show.callKwargs(file, { language, known });
    result.hidden = false;
    status.hidden = true;
    document.dispatchEvent(new Event("DOMContentLoaded"));
    document.documentElement.dataset.ready = Math.round(performance.now() - began);
  }

  function fail(error) {
    status.hidden = false;
    status.classList.add("is-wrong");
    status.querySelector("[data-progress]").hidden = true;
    status.querySelector("[data-error]").textContent = String(error);
  }

  // Of another page of this kind the file in it; otherwise the text itself.
  function fileIn(text) {
    if (!text.trimStart().startsWith("<")) return text;
    const page = new DOMParser().parseFromString(text, "text/html");
    return page.getElementById("file")?.textContent ?? text;
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-language]");
    if (!button) return;
    document.documentElement.lang = button.dataset.language;
    for (const other of document.querySelectorAll("[data-language]")) {
      other.setAttribute("aria-pressed", String(other === button));
    }
    if (python) show();
  });

  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-known]")) return;
    event.preventDefault();
    known = event.target.querySelector("#known").value;
    show();
    (result.querySelector("[data-table-layout]") ?? result.querySelector("h2")).scrollIntoView({ block: "nearest" });
  });

  document.addEventListener("change", async (event) => {
    if (!event.target.matches("[data-other-file]") || !event.target.files.length) return;
    file = fileIn(await event.target.files[0].text());
    known = "";
    event.target.value = ""; // so that the same file can be opened again
    if (python) show();
  });

  const language = navigator.language.startsWith("it") ? "it" : "en";
  start()
    .then(() => document.querySelector(`[data-language=${language}]`).click())
    .catch(fail);
})();
