// Signing keys that this browser makes and keeps, where the installation accepts them. No script can
// read such a private key, this one included: it signs, and is found by its id.
(() => {
  "use strict";

  const { text } = window.base64url;
  const STORE = "keys";

  function open() {
    const request = indexedDB.open("sabot-signing-keys", 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    return new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  }

  async function keep(id, key) {
    const transaction = (await open()).transaction(STORE, "readwrite");
    transaction.objectStore(STORE).add(key, id);
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
  }

  async function find(id) {
    const request = (await open()).transaction(STORE).objectStore(STORE).get(id);
    return new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  }

  async function answer(id, key, type, challenge) {
    const client = new TextEncoder().encode(JSON.stringify({ type, challenge, origin: location.origin }));
    const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, client);
    const response = { clientDataJSON: text(client), authenticatorData: "", signature: text(signature) };
    return { rawId: id, response };
  }

  async function create(challenge) {
    const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign"]);
    const point = await crypto.subtle.exportKey("raw", pair.publicKey);
    const id = text(await crypto.subtle.digest("SHA-256", point));
    await keep(id, pair.privateKey);
    const proof = await answer(id, pair.privateKey, "sabot.browser.create", challenge);
    return JSON.stringify({ publicKey: text(point), ...proof });
  }

  // The signature of the first of these keys that is in this browser, or null.
  async function sign({ ids, challenge }) {
    for (const id of ids) {
      const key = await find(id);
      if (key) return JSON.stringify(await answer(id, key, "sabot.browser", challenge));
    }
    return null;
  }

  window.browserKeys = { create, sign };
})();
