"""Which bets of a round are void (contract, "Void bets"), decided bet by bet."""

from tests.rounds.properties.simulated import Document


def is_void(document: Document, bet: Document) -> bool:
    """Whether a bet is void. Only the reasons found in simulated rounds are checked."""
    closed_at = moment(document["closed_at"])
    disconnected = {
        entry["player"]
        for entry in document.get("disconnects", [])
        if moment(entry["at"]) < closed_at
    }
    if bet["player"] in disconnected:
        return True
    if bet["kind"] == "insurance":
        return False
    if moment(bet["placed_at"]) > closed_at:
        return True
    if bet.get("behind") and bet["kind"] == "main":
        return _has_no_owner_but_himself(document, bet)
    if bet["kind"] != "main" and document["rules"] != "baccarat/1":
        return all(is_void(document, main) for main in _mains_of(document, bet))
    return False


def _mains_of(document: Document, bet: Document) -> list[Document]:
    own = [bet["player"], bet["box"], "main"]
    return [
        entry for entry in document["bets"] if [entry["player"], entry["box"], entry["kind"]] == own
    ]


def _has_no_owner_but_himself(document: Document, bet: Document) -> bool:
    owners = [
        entry["player"]
        for entry in document["bets"]
        if entry["kind"] == "main" and entry["box"] == bet["box"] and not entry.get("behind")
        if not is_void(document, entry)
    ]
    return not owners or owners == [bet["player"]]


def moment(text: str) -> str:
    """A time of the feed with all of its decimals, so that texts compare as times do."""
    seconds, _, decimals = text.rstrip("Z").partition(".")
    return f"{seconds}.{decimals.ljust(3, '0')}"
