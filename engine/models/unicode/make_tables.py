#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes character_classes.cpp, lower_letters.cpp and base_letters.cpp from Python's copy of the Unicode character database.

Run it in this folder: python3 make_tables.py
"""
import unicodedata

# In the order of CharacterClass in unicode.hpp.
CLASSES = ["Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "M", "N", "P", "S", "Z", "C", "Cn"]
HANGUL = range(0xAC00, 0xD7A4)


def class_of(code_point):
    category = unicodedata.category(chr(code_point))
    return CLASSES.index(category if category in CLASSES else category[0])


def runs():
    previous = None
    for code_point in range(0x110000):
        here = class_of(code_point)
        if here != previous:
            yield code_point << 8 | here
        previous = here


def base_letters():
    for code_point in range(0x110000):
        letter = chr(code_point)
        base = unicodedata.normalize("NFD", letter)[0]
        if code_point not in HANGUL and base != letter:
            yield code_point, ord(base)


def lower_letters():
    for code_point in range(0x110000):
        lower = chr(code_point).lower()[0]
        if lower != chr(code_point):
            yield code_point, ord(lower)


def write(path, comment, declaration, cells, columns):
    with open(path, "w", encoding="utf-8") as out:
        out.write("// SPDX-License-Identifier: MIT\n")
        out.write(f"// Written by make_tables.py from Unicode {unicodedata.unidata_version}. {comment}\n")
        out.write('#include "engine/models/unicode/tables.hpp"\n\n')
        out.write("// clang-format off\nnamespace splitscope::unicode {\n\nnamespace {\n\n")
        out.write(declaration.format(count=len(cells)) + " = {{\n")
        for i in range(0, len(cells), columns):
            out.write("    " + ", ".join(cells[i:i + columns]) + ",\n")
        out.write("}};\n\n}  // namespace\n\n")


classes = [f"0x{run:x}" for run in runs()]
write("character_classes.cpp", "Runs of characters of one class.",
      "constexpr std::array<std::uint32_t, {count}> kRuns", classes, 10)
with open("character_classes.cpp", "a", encoding="utf-8") as out:
    out.write("std::span<const std::uint32_t> class_runs() {\n    return kRuns;\n}\n\n")
    out.write("}  // namespace splitscope::unicode\n// clang-format on\n")

def write_letters(path, comment, name, pairs):
    letters = [f"{{0x{code_point:x}, 0x{part:x}}}" for code_point, part in pairs]
    write(path, comment, "constexpr std::array<Replacement, {count}> k" + name, letters, 6)
    with open(path, "a", encoding="utf-8") as out:
        function = path.removesuffix(".cpp")
        out.write(f"std::span<const Replacement> {function}() {{\n    return k{name};\n}}\n\n")
        out.write("}  // namespace splitscope::unicode\n// clang-format on\n")


write_letters("lower_letters.cpp", "Letters in lower case.", "LowerLetters", lower_letters())
write_letters("base_letters.cpp", "First characters of canonical decompositions.", "BaseLetters",
              base_letters())
