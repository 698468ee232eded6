"""Invalid parts of addresses, for tests."""

NONSENSE = {
    "word": "abc",
    "negative": "-4000000000",  # the house's accounts have negative ids, down to some hundreds
    "fraction": "1.5",
    "blank": " ",
    "beyond a bigint": "9223372036854775808",
    "beyond Python's digits": "9" * 5000,
    "NUL": "1\0",
    "Arabic digits": "\N{ARABIC-INDIC DIGIT NINE}" * 5,
    "half a surrogate pair": "%ED%A0%80",
    "no UTF-8": "%FF",
    "long": "x" * 60_000,
    "half as long": "x" * 30_000,
    "quotes": "'\"--",
    "first day": "0001-01-01",
    "last day": "9999-12-31",
    "last second": "#23:59:59 9999-12-31",
    "first second": "#00:00:00 01/01/0001",
    "year 0": "#00:00:00 0000-01-01",
    "code in Arabic digits": "#21:10:1\N{ARABIC-INDIC DIGIT THREE}",
    "25 o'clock": "#25:00:00",
}
