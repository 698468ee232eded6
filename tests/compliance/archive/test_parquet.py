"""Rows that PostgreSQL copies are the same in a Parquet file."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pytest
from django.db import connection

from compliance.archive.archive_list import Column
from compliance.archive.parquet import contents_of, open_duckdb, read_as_csv, write_parquet

_ROWS = """
    CREATE TEMP TABLE rows (number int, text text, at timestamptz, octets bytea, is_even boolean,
                            list text[]) ON COMMIT DROP
"""


class TestRows:
    @pytest.mark.django_db
    def test_of_any_text_are_the_same_in_the_file_and_back(self, tmp_path: Path) -> None:
        """What CSV has to quote, nothing and an empty text, and every other type of column."""
        texts = [
            "",
            " ",
            ",",
            '"',
            '""',
            "\\.",
            "\\N",
            "a\nb",
            "a\r\nb",
            "è\U0001f0a1",
            "x" * 100_000,
        ]
        rows = [(number, text) for number, text in enumerate(texts)] + [(99, None)]
        columns = [
            Column("number", "integer"),
            Column("text", "text"),
            Column("at", "timestamp with time zone"),
            Column("octets", "bytea"),
            Column("is_even", "boolean"),
            Column("list", "text[]"),
        ]
        query = """
            SELECT number, text, timestamptz '2026-11-21 10:00:00.000001+00', '\\x00ff'::bytea,
                   mod(number, 2) = 0, ARRAY[text, NULL, 'a"b'] FROM unnest(%s::int[], %s::text[])
                   AS row (number, text) ORDER BY number
        """
        path = tmp_path / "rows.parquet"

        with connection.cursor() as cursor, open_duckdb() as duck:
            cursor.execute("SET LOCAL timezone = 'UTC'")
            statement = cursor.mogrify(query, [list(it) for it in zip(*rows, strict=True)])
            with cursor.copy(f"COPY ({statement}) TO STDOUT (FORMAT csv)") as copy:
                blocks = [bytes(block) for block in copy]
            write_parquet(duck, path, columns, iter(blocks))
            cursor.execute(f"SELECT list::text FROM ({statement}) AS row (a, b, c, d, e, list)")
            lists = [text for (text,) in cursor.fetchall()]
            found = duck.execute(
                f'SELECT number, text, epoch_us("at"), octets, is_even, "list" FROM "{path}"'
            ).fetchall()

            cursor.execute(_ROWS)
            with cursor.copy("COPY rows FROM STDIN (FORMAT csv)") as copy:
                for block in read_as_csv(duck, path, columns):
                    copy.write(block)
            with cursor.copy(
                "COPY (SELECT * FROM rows ORDER BY number) TO STDOUT (FORMAT csv)"
            ) as copy:
                again = [bytes(block) for block in copy]

        assert b"".join(again) == b"".join(blocks)
        at = int(datetime(2026, 11, 21, 10, tzinfo=UTC).timestamp()) * 1_000_000 + 1
        assert found == [
            (number, text, at, b"\x00\xff", number % 2 == 0, lists[place])
            for place, (number, text) in enumerate(rows)
        ]

    def test_that_are_not_of_the_columns_are_an_error(self, tmp_path: Path) -> None:
        """The writer of the pipe does not wait for a reader that has ended."""
        blocks = (b"no number\n" for _ in range(100_000))

        with open_duckdb() as duck, pytest.raises(duckdb.Error, match="no number"):
            write_parquet(duck, tmp_path / "x.parquet", [Column("id", "integer")], blocks)

    def test_whose_source_fails_are_an_error(self, tmp_path: Path) -> None:
        """Not a file with the rows until then."""

        def blocks() -> Iterator[bytes]:
            yield b"1\n"
            raise OSError("the connection is lost")

        with open_duckdb() as duck, pytest.raises(OSError, match="the connection is lost"):
            write_parquet(duck, tmp_path / "x.parquet", [Column("id", "integer")], blocks())

    @pytest.mark.slow
    def test_that_nobody_reads_to_the_end_are_left(self, tmp_path: Path) -> None:
        """The writer of the pipe ends with its reader."""
        path, columns = tmp_path / "x.parquet", [Column("id", "integer")]
        with open_duckdb() as duck:
            write_parquet(duck, path, columns, (b"%d\n" % number for number in range(500_000)))

            blocks = read_as_csv(duck, path, columns)

            assert next(blocks).startswith(b"0\n1\n2\n")
            blocks.close()
            assert "parquet" not in [thread.name for thread in threading.enumerate()]


def test_a_file_of_other_columns_is_refused(tmp_path: Path) -> None:
    """A reader would take a number for something else."""
    path = tmp_path / "x.parquet"
    with open_duckdb() as duck:
        write_parquet(duck, path, [Column("id", "integer")], iter([b"1\n"]))

        with pytest.raises(ValueError, match=r"columns: found .*INTEGER.*; needed .*BIGINT"):
            contents_of(duck, path, "id", [Column("id", "bigint")])
