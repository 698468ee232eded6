"""XML with its own schema: one element per row, columns as attributes; NULL is left out."""

from typing import Final
from xml.sax.saxutils import quoteattr

from compliance.exports.encoders.xml_escaping import is_clean, xml_escaped
from compliance.exports.registers.register import Column, ColumnType, Register
from compliance.exports.scope import Scope

_TYPES: Final = {
    ColumnType.TEXT: "xs:string",
    ColumnType.INTEGER: "xs:long",
    ColumnType.CENTS: "xs:long",
    ColumnType.TIME: "xs:dateTime",
    ColumnType.DAY: "xs:date",
    ColumnType.DIGEST: "digest",
}


def namespace(register: Register) -> str:
    """The XML namespace of a register."""
    return f"urn:sabot:register:{register.key}:{register.version}"


def xml_head(register: Register, of: Scope) -> bytes:
    """The bytes before the rows."""
    attributes = {name: value for name, value in of.to_json().items() if value}
    scope = " ".join(f"{name}={quoteattr(value)}" for name, value in attributes.items())
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<{register.key} xmlns="{namespace(register)}" {scope}>\n'
    ).encode()


def xml_tail(register: Register) -> bytes:
    """The bytes after the rows."""
    return f"</{register.key}>\n".encode()


def xml_line(register: Register) -> str:
    """SQL expression of a row as an XML element."""
    cells = ", ".join(map(_attribute, register.columns))
    return f"concat('<{register.row}', {cells}, '/>')"


def _attribute(column: Column) -> str:
    value = f'line."{column.name}"'
    written = f"""' {column.name}="', {_written(column, value)}, '"'"""
    if column.is_optional:
        return f"CASE WHEN {value} IS NOT NULL THEN concat({written}) END"
    return written


def _written(column: Column, value: str) -> str:
    match column.type:
        case ColumnType.TEXT if not column.is_plain:
            return f"CASE WHEN {is_clean(value)} THEN {value} ELSE {xml_escaped(value)} END"
        case ColumnType.TIME:
            return f"""btrim(to_json({value} AT TIME ZONE 'UTC')::text, '"'), 'Z'"""
        case ColumnType.DIGEST:
            return f"encode({value}, 'hex')"
        case _:
            return value


def schema_of(register: Register) -> bytes:
    """The XSD of a register, generated from its columns."""
    attributes = "\n".join(map(_attribute_schema, register.columns))
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns="{namespace(register)}"
    targetNamespace="{namespace(register)}" elementFormDefault="qualified"
    version="{register.version}">
  <xs:annotation>
    <xs:documentation>{_text(register.about)} PGDA: {_text(register.pgda)}.</xs:documentation>
  </xs:annotation>
  <xs:simpleType name="digest">
    <xs:restriction base="xs:string"><xs:pattern value="[0-9a-f]{{64}}"/></xs:restriction>
  </xs:simpleType>
  <xs:element name="{register.key}">
    <xs:complexType>
      <xs:sequence>
        <xs:element ref="{register.row}" minOccurs="0" maxOccurs="unbounded"/>
      </xs:sequence>
      <xs:attribute name="first_day" type="xs:date" use="required"/>
      <xs:attribute name="last_day" type="xs:date" use="required"/>
      <xs:attribute name="contents" type="xs:string" use="required"/>
      <xs:attribute name="game" type="xs:string"/>
      <xs:attribute name="table" type="xs:string"/>
      <xs:attribute name="rules" type="xs:string"/>
      <xs:attribute name="customer" type="xs:string"/>
    </xs:complexType>
  </xs:element>
  <xs:element name="{register.row}">
    <xs:complexType>
{attributes}
    </xs:complexType>
  </xs:element>
</xs:schema>
""".encode()


def _attribute_schema(column: Column) -> str:
    use = "" if column.is_optional else ' use="required"'
    return (
        f'      <xs:attribute name="{column.name}" type="{_TYPES[column.type]}"{use}>'
        f"<xs:annotation><xs:documentation>{_text(column.about)}</xs:documentation>"
        "</xs:annotation></xs:attribute>"
    )


def _text(words: str) -> str:
    return quoteattr(words)[1:-1]
