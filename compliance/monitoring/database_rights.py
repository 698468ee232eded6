"""The rights of the roles of the database on the tables of this application."""

from typing import Final

TABLES: Final = """
                                    web   worker  feed  exporter  reader
    monitoring_countedbooks         r     rawd    .     r         r
    monitoring_countedday           r     rawd    .     r         r
    monitoring_countedhour          r     rawd    .     r         r
    monitoring_dailycards           r     rawd    .     r         r
    monitoring_dailyevidence        r     rawd    .     r         r
    monitoring_dailyoccurrence      r     rawd    .     r         r
    monitoring_dailyoutcome         r     rawd    .     r         r
    monitoring_dailyreturn          r     rawd    .     r         r
    monitoring_dailyvoids           r     rawd    .     r         r
    monitoring_dealingerror         r     rawd    .     r         r
    monitoring_hourlydealing        r     rawd    .     r         r
    monitoring_hourlylatency        r     rawd    .     r         r
    monitoring_look                 r     ra      .     r         r
    monitoring_watch                r     ra      .     r         r
    monitoring_watchalarm           r     ra      .     r         r
    monitoring_watchlook            r     ra      .     r         r
"""
