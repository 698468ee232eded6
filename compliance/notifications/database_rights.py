"""The rights of the roles of the database on the tables of this application."""

from typing import Final

TABLES: Final = """
                                    web   worker  feed  exporter  reader
    notifications_channelchoice     raw   r       .     .         .
    notifications_message           ra    rawd    .     .         .
    notifications_notification      raw   rawd    .     .         .
    notifications_quiethours        rawd  r       .     .         .
"""
