// Lets Python check the files that the reader opens, and shows what it found. Asks no server.
(() => {
  "use strict";

  const PARTS = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "sabot.zip"];
  const HEAD = 1 << 16;
  const NOTHING = { signer: "", log: "", persons: "", since: "" };
  const byId = (id) => document.getElementById(id);
  const status = byId("status");
  const work = byId("work");
  const result = byId("result");
  const began = performance.now();
  const waiting = new Map();
  const parts = Object.fromEntries(PARTS.map((name) => [name, byId(name).textContent]));
  const source = new Blob([byId("worker").textContent], { type: "text/javascript" });
  let worker = null;
  let isStarted = false;
  let file = byId("file").textContent;
  let known = "";
  let bundles = []; // of a day, with earlier ones; or a dossier, a receipt or a proof
  let feeds = [];
  let entered = { ...NOTHING };

  function hear({ data: { id, news, error, answer } }) {
    const { resolve, reject, tell } = waiting.get(id);
    if (news) return tell(news);
    waiting.delete(id);
    return error === undefined ? resolve(answer) : reject(error);
  }

  async function start() {
    worker?.terminate();
    waiting.clear();
    worker = new Worker(URL.createObjectURL(source));
    worker.onmessage = hear;
    worker.onerror = (event) => fail(event.message);
    await ask("start", { parts });
    isStarted = true;
  }

  function ask(action, parts = {}, tell = null) {
    const id = crypto.getRandomValues(new Uint32Array(1))[0];
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject, tell });
      worker.postMessage({ id, action, ...parts });
    });
  }

  function request() {
    const names = (list) => list.map(({ name }) => name);
    return JSON.stringify({ files: names(bundles), feeds: names(feeds), entered });
  }

  async function show() {
    const language = document.documentElement.lang;
    const parts = bundles.length ? { request: request(), language } : { text: file, language, known };
    result.innerHTML = await ask(bundles.length ? "form" : "show", parts);
    result.hidden = false;
    status.hidden = work.hidden = true;
    status.classList.remove("is-wrong");
    document.dispatchEvent(new Event("DOMContentLoaded"));
    document.documentElement.dataset.ready = Math.round(performance.now() - began);
  }

  function fail(error) {
    work.hidden = true;
    status.hidden = false;
    status.classList.add("is-wrong");
    for (const note of status.querySelectorAll("[data-progress]")) note.hidden = true;
    status.querySelector("[data-error]").textContent = String(error);
  }

  // A file that is made for it can stop Python, which then has to start again: nothing was verified.
  async function recover(error) {
    isStarted = false;
    if (!bundles.length) file = "{}";
    try {
      await start();
      await show();
    } finally {
      fail(`Non verificato – not verified: ${error}`);
    }
  }

  const shown = () => show().catch(recover);

  async function verify() {
    const lines = work.querySelector("ol");
    const progress = work.querySelector("progress");
    lines.replaceChildren();
    progress.removeAttribute("value");
    result.hidden = true;
    work.hidden = false;
    const blobs = [...bundles, ...feeds].map(({ name, data }) => ({ name, data }));
    await ask("verify", { request: request(), blobs }, ({ line, judged, all }) => {
      if (line === undefined) {
        Object.assign(progress, { max: Math.max(all, judged), value: judged });
      } else {
        lines.appendChild(document.createElement("li")).textContent = line;
      }
    });
    await show();
    result.querySelector("h2").focus();
  }

  // Of another page of this kind the file in it; otherwise the text itself.
  function fileIn(text) {
    if (!text.trimStart().startsWith("<")) return text;
    const page = new DOMParser().parseFromString(text, "text/html");
    return page.getElementById("file")?.textContent ?? text;
  }

  // What a file is, by its beginning, or by its name if that does not tell.
  async function kindOf(opened) {
    const head = await opened.slice(0, HEAD).text();
    if (head.startsWith("PK")) return "bundle";
    if (head.startsWith("\x1f") || /\.(nd)?jsonl?\.gz$/i.test(opened.name)) return "feed";
    if (head.includes("-----BEGIN CERTIFICATE-----")) return "signer";
    if (/^quorum\s/m.test(head)) return "log";
    if (/^\s*</.test(head) || /"verification"\s*:/.test(head)) return "file";
    if (/^\s*\{"?/.test(head) && /"feed"\s*:/.test(head)) return "feed";
    if (/^\s*\{/.test(head) && /"(receipt|proof)"\s*:/.test(head)) return "bundle";
    return "file";
  }

  // Two files of one name come from two folders.
  function named(opened, others) {
    let name = opened.name;
    for (let number = 2; others.some((other) => other.name === name); number += 1) name = `${number}-${opened.name}`;
    return { name, data: opened };
  }

  function readForm() {
    const form = result.querySelector("form[data-verify]");
    if (form) entered = Object.fromEntries(new FormData(form));
  }

  async function textOf(opened) {
    const isPacked = (await opened.slice(0, 1).text()) === "\x1f";
    return isPacked ? new Response(opened.stream().pipeThrough(new DecompressionStream("gzip"))).text() : opened.text();
  }

  async function open(list) {
    readForm();
    for (const opened of list) {
      const kind = await kindOf(opened);
      if (kind === "bundle") bundles.push(named(opened, [...bundles, ...feeds]));
      else if (kind === "feed") feeds.push(named(opened, [...bundles, ...feeds]));
      else if (kind === "file") [bundles, feeds, file, known] = [[], [], fileIn(await opened.text()), ""];
      else entered[kind] = await opened.text();
    }
    if (!bundles.length && feeds.length) [file, known] = [await textOf(feeds.at(-1).data), ""];
    await ask("forget");
    if (isStarted) await show();
    if (bundles.length) result.querySelector("textarea")?.focus();
  }

  const opened = (list) => open(list).catch(recover);

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-language], [data-start-over]");
    if (!button) return;
    if (button.dataset.language === undefined) {
      [bundles, feeds, file, known, entered] = [[], [], "{}", "", { ...NOTHING }];
      shown();
      return;
    }
    readForm();
    document.documentElement.lang = button.dataset.language;
    for (const other of document.querySelectorAll("[data-language]")) {
      other.setAttribute("aria-pressed", String(other === button));
    }
    if (isStarted && work.hidden) shown();
  });

  document.addEventListener("submit", (event) => {
    if (!event.target.matches("[data-known], [data-verify]")) return;
    event.preventDefault();
    if (event.target.matches("[data-verify]")) {
      readForm();
      verify().catch(recover);
      return;
    }
    known = event.target.querySelector("#known").value;
    show()
      .then(() => (result.querySelector("[data-table-layout]") ?? result.querySelector("h2")).scrollIntoView({ block: "nearest" }))
      .catch(recover);
  });

  document.addEventListener("change", (event) => {
    if (!event.target.matches("[data-other-file]") || !event.target.files.length) return;
    opened([...event.target.files]);
    event.target.value = ""; // so that the same file can be opened again
  });

  for (const name of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(name, (event) => {
      if (!event.dataTransfer.types.includes("Files")) return;
      event.preventDefault();
      document.body.classList.toggle("is-dropping", name === "dragover");
      if (name === "drop" && event.dataTransfer.files.length) opened([...event.dataTransfer.files]);
    });
  }

  const language = navigator.language.startsWith("it") ? "it" : "en";
  start()
    .then(() => document.querySelector(`[data-language=${language}]`).click())
    .catch(fail);
})();
