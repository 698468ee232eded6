// An OpenID Connect provider of another make (npm oidc-provider), with the login page it brings for trials:
// whoever enters a name is that person.
import Provider from "oidc-provider";

const [port, redirect, secret] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;
const provider = new Provider(issuer, {
  clients: [{
    client_id: "sabot",
    client_secret: secret,
    redirect_uris: [redirect],
    grant_types: ["authorization_code"],
    response_types: ["code"],
  }],
  cookies: { keys: [secret] },
});
provider.listen(Number(port), "127.0.0.1", () => console.log("listening"));
