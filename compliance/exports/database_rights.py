"""The rights of the roles of the database on the tables of this application."""

from typing import Final

TABLES: Final = """
                                    web   worker  feed  exporter  reader
    exports_bundle                  r     r       .     ra        r
    exports_bundlestep              ra    r       .     ra        r
    exports_certificaterun          ra    r       .     rw        r
    exports_dossier                 ra    r       .     r         r
    exports_dossiersignature        r     r       .     ra        r
    exports_exportrun               ra    r       .     raw       r
    exports_replaylink              ra    r       .     .         r
    exports_replaylinkopening       ra    r       .     .         r
    exports_replaylinkrevocation    ra    r       .     .         r
    exports_rulecertificate         r     r       .     ra        r
    exports_sumtree                 r     r       .     ra        r
    exports_taxrate                 ra    r       .     r         r
"""
