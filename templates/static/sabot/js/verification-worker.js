// Runs Python beside the page of verification files: the page stays usable while it counts. Asks no server.
const NO_NETWORK = "https://offline.invalid/";
const FILES = "/files";
const LOCK = JSON.stringify({
  info: { abi_version: "2026_0", arch: "wasm32", platform: "emscripten", version: "0", python: "3.14" },
  packages: {},
});
let python = null;
let started = null;
let report = null;

// Each part is compressed and in base64: a page has only text.
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

async function load(text) {
  return import(URL.createObjectURL(new Blob([await unpacked(text)], { type: "text/javascript" })));
}

async function start({ parts }) {
  const [{ loadPyodide }, engine] = await Promise.all([load(parts["pyodide.mjs"]), load(parts["pyodide.asm.mjs"])]);
  const files = new Map([
    ["pyodide.asm.wasm", [await unpacked(parts["pyodide.asm.wasm"]), "application/wasm"]],
    ["python_stdlib.zip", [await unpacked(parts["python_stdlib.zip"]), "application/zip"]],
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
  python.unpackArchive(await unpacked(parts["sabot.zip"]), "zip", { extractDir: "/sabot" });
  python.runPython("import sys; sys.path.insert(0, '/sabot')");
  python.FS.mkdirTree(FILES);
  started = python.pyimport("casino.backoffice.verification_files.browser.start");
  started.start();
}

// The files stay where they are: Python reads the parts that it needs.
function verify({ request, blobs }, tell) {
  report = null;
  python.FS.mount(python.FS.filesystems.WORKERFS, { blobs }, FILES);
  try {
    const say = (line) => tell({ line });
    const count = (judged, all) => tell({ judged, all });
    report = started.verify(request, say, count);
  } finally {
    python.FS.unmount(FILES);
  }
}

const ACTIONS = {
  start,
  verify,
  show: ({ text, language, known }) => started.show.callKwargs(text, { language, known }),
  forget: () => void (report = null),
  form: ({ request, language }) => started.show_report.callKwargs(request, report, { language }),
};

globalThis.onmessage = async ({ data: { id, action, ...rest } }) => {
  try {
    postMessage({ id, answer: await ACTIONS[action](rest, (news) => postMessage({ id, news })) });
  } catch (error) {
    postMessage({ id, error: String(error) });
  }
};
