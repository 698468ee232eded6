"""The rights of the roles of the database on the tables of this application."""

from typing import Final

TABLES: Final = """
                                    web   worker  feed  exporter  reader
    api_apikey                      ra    r       .     .         r
    api_deadletter                  r     ra      .     .         r
    api_givenanswer                 ra    rd      .     .         .
    api_keyrevocation               ra    r       .     .         r
    api_keysecret                   ra    r       .     .         r
    api_keyuse                      raw   r       .     .         r
    api_spentrate                   raw   rd      .     .         .
    api_webhook                     ra    r       .     .         r
    api_webhookchange               ra    r       .     .         r
    api_webhookorder                raw   rw      .     .         r
    api_webhookremoval              ra    r       .     .         r
    api_webhooksecret               ra    r       .     .         r
    api_webhookstate                raw   rw      .     .         r
"""
