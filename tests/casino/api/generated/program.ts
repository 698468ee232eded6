// A program with the npm package of `make client-types`: `program.js STEP ARGUMENTS`.
// Each step prints what it received, as JSON.
import { createHash, createPrivateKey, randomUUID, sign } from "node:crypto";
import createClient, { type Client } from "openapi-fetch";
import type { components, paths } from "sabot-client";

type Api = Client<paths>;

function answered<T>(answer: { data?: T; error?: components["schemas"]["Problem"] }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

function connected(address: string, token: string): Api {
  return createClient<paths>({ baseUrl: address, headers: { Authorization: `Bearer ${token}` } });
}

// Signs deliveries by RFC 9421, as they are sent.
function signing(api: Api, pem: string, keyId: string): void {
  const key = createPrivateKey(pem);
  api.use({
    async onRequest({ request, schemaPath }) {
      if (schemaPath !== "/api/v1/rounds" || request.method !== "POST") return undefined;
      const body = Buffer.from(await request.clone().arrayBuffer());
      const digest = `sha-256=:${createHash("sha256").update(body).digest("base64")}:`;
      const covered = {
        "@method": request.method,
        "@path": new URL(request.url).pathname,
        "content-type": request.headers.get("Content-Type"),
        "content-digest": digest,
      };
      const names = Object.keys(covered).map((name) => `"${name}"`).join(" ");
      const given = `(${names});created=${Math.floor(Date.now() / 1000)};keyid="${keyId}"`;
      const text = Object.entries({ ...covered, "@signature-params": given })
        .map(([name, value]) => `"${name}": ${value}`)
        .join("\n");
      request.headers.set("Content-Digest", digest);
      request.headers.set("Signature-Input", `sig=${given}`);
      request.headers.set("Signature", `sig=:${sign(null, Buffer.from(text), key).toString("base64")}:`);
      return request;
    },
  });
}

const once = () => ({ "Idempotency-Key": randomUUID() });

// Delivers a round, and another one under its id.
async function deliver(api: Api, document: string) {
  const body: components["schemas"]["FeedBaccarat1Round"] = JSON.parse(document);
  const result = answered(await api.POST("/api/v1/rounds", { body }));
  const { error } = await api.POST("/api/v1/rounds", {
    body: { ...body, cards: body.cards.slice(0, 1) },
  });
  return {
    verdict: typeof result === "object" && "verdict" in result ? result.verdict : null,
    problem: error?.type,
  };
}

// Reads a settled round as its customer, disputes a bet and requests the dossier.
async function dispute(api: Api, reference: string) {
  const page = answered(
    await api.GET("/api/v1/rounds", { params: { query: { table: "bac-1" } } }),
  );
  const issued = answered(
    await api.POST("/api/v1/customer-tokens", {
      params: { header: once() },
      body: { customer: "p-1", minutes: 5 },
    }),
  );
  const customer = connected(address, issued.token);
  const played = answered(
    await customer.GET("/api/v1/rounds/{round}", { params: { path: { round: reference } } }),
  );
  const opened = answered(
    await customer.POST("/api/v1/disputes", {
      params: { header: once() },
      body: { round: reference, bet: "b1", reason: "wrong_payout", text: "It won." },
    }),
  );
  const form = new FormData();
  form.set("file", new File(["%PDF-1.7\n"], "a.pdf", { type: "application/pdf" }));
  const evidence = answered(
    await customer.POST("/api/v1/disputes/{dispute}/evidence", {
      params: { path: { dispute: opened.id }, header: once() },
      body: { file: "a.pdf" },
      bodySerializer: () => form,
    }),
  );
  const dossier = answered(
    await api.POST("/api/v1/disputes/{dispute}/dossiers", {
      params: { path: { dispute: opened.id }, header: once() },
      body: { audience: "customer" },
    }),
  );
  return {
    rounds: page.data.map((summary) => summary.round),
    bets: played.bets.data.map((bet) => [bet.id, bet.payout_cents]),
    state: opened.state,
    evidence: evidence.content_type,
    dispute: opened.id,
    dossier: dossier.id,
  };
}

// Reads the signed dossier and downloads it.
async function download(api: Api, dispute: string, dossier: string) {
  const path = { dispute, dossier: Number(dossier) };
  const read = answered(
    await api.GET("/api/v1/disputes/{dispute}/dossiers/{dossier}", { params: { path } }),
  );
  const file = answered(
    await api.GET("/api/v1/disputes/{dispute}/dossiers/{dossier}/{file}", {
      params: { path: { ...path, file: "dossier.json" } },
      parseAs: "arrayBuffer",
    }),
  );
  const digest = createHash("sha256").update(Buffer.from(file)).digest("hex");
  return { status: read.status, intact: digest === read.sha256 };
}

const [step, address, token, pem, keyId, ...given] = process.argv.slice(2) as [
  "deliver" | "dispute" | "download", string, string, string, string, string, string,
];
const api = connected(address, token);
signing(api, pem, keyId);
const steps = { deliver, dispute, download };
process.stdout.write(JSON.stringify(await steps[step](api, given[0], given[1])));
