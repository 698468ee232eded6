"""The paths of the public log, as C2SP tlog-tiles names them."""

from django.urls import path, register_converter

from casino.api.log.views import show_checkpoint, show_tile
from compliance.trail.log.tiles import WIDTH, Tile


class TilePath:
    """Level, index in groups of three digits, and the width of a tile that is not full yet."""

    regex = (
        r"(?:\d|[1-5]\d|6[0-3])/(?:x\d{3}/){0,5}\d{3}"
        r"(?:\.p/(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-5]))?"
    )

    def to_python(self, value: str) -> Tile:
        """The tile of this path."""
        level, _slash, rest = value.partition("/")
        index, _mark, width = rest.partition(".p/")
        return Tile(int(level), int(index.replace("x", "").replace("/", "")), int(width or WIDTH))

    def to_url(self, tile: Tile) -> str:
        """The path of this tile."""
        *above, last = (group.zfill(3) for group in f"{tile.index:,}".split(","))
        index = "/".join([*(f"x{group}" for group in above), last])
        return f"{tile.level}/{index}" + ("" if tile.width == WIDTH else f".p/{tile.width}")


register_converter(TilePath, "tile")

urlpatterns = [
    path("checkpoint", show_checkpoint, name="log_checkpoint"),
    path("tile/<tile:tile>", show_tile, name="log_tile"),
]
