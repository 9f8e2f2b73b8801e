// SPDX-License-Identifier: MIT
#include "engine/reports/table.hpp"

#include <gtest/gtest.h>

#include "engine/reports/escape.hpp"
#include "engine/reports/text_table.hpp"

namespace splitscope {
namespace {

TEST(Cells, AreFormattedByKind) {
    EXPECT_EQ(format_cell(std::int64_t{1234567}, ColumnKind::count), "1,234,567");
    EXPECT_EQ(format_cell(std::int64_t{-1000}, ColumnKind::count), "-1,000");
    EXPECT_EQ(format_cell(std::int64_t{2048}, ColumnKind::bytes), "2.00 KiB");
    EXPECT_EQ(format_cell(std::int64_t{12'400}, ColumnKind::nanoseconds), "12.4 µs");
    EXPECT_EQ(format_cell(0.4821, ColumnKind::share), "48.2 %");
    EXPECT_EQ(format_cell(1.234e9, ColumnKind::number), "1.23 G");
    EXPECT_EQ(format_cell(64.0, ColumnKind::number), "64");
    EXPECT_EQ(format_cell(Cell(), ColumnKind::bytes), "–");
    EXPECT_EQ(format_cell(std::string("input"), ColumnKind::count), "input");
}

TEST(Cells, ArePlainForPrograms) {
    EXPECT_EQ(plain_cell(std::int64_t{1234567}), "1234567");
    EXPECT_EQ(plain_cell(Cell()), "");
    EXPECT_EQ(plain_cell(0.5), "0.5");
}

TEST(Durations, HaveThreeDigits) {
    EXPECT_EQ(format_duration(0), "0 ns");
    EXPECT_EQ(format_duration(999), "999 ns");
    EXPECT_EQ(format_duration(999'499), "999 µs");
    EXPECT_EQ(format_duration(3'200'000'000), "3.20 s");
}

TEST(Tables, CountRowsBeyondTheCap) {
    Table table;
    table.columns = {{"n", "N", ColumnKind::count}};
    table.max_rows = 2;
    for (std::int64_t i = 0; i < 5; ++i) table.add({i});
    table.skip(3);
    EXPECT_EQ(table.rows.size(), 2U);
    EXPECT_EQ(table.total_rows, 8U);
    EXPECT_TRUE(table.is_cut());
    EXPECT_EQ(text_table(table), "N\n0\n1\n… and 6 more\n");
}

TEST(Tables, AlignByCharactersNotBytes) {
    Table table;
    table.columns = {{"name", "Name", ColumnKind::name}, {"n", "Count", ColumnKind::count}};
    table.add({std::string("größe"), std::int64_t{1}});
    table.add({std::string("abcde"), std::int64_t{22}});
    EXPECT_EQ(text_table(table), "Name   Count\ngröße      1\nabcde     22\n");
}

TEST(Tables, WrapLongCellsExceptTheLast) {
    Table table;
    table.columns = {
        {"a", "A", ColumnKind::text}, {"n", "N", ColumnKind::count}, {"b", "B", ColumnKind::text}};
    const std::string fifty(50, 'x');
    table.add({fifty + " and some more words", std::int64_t{1}, fifty + ' ' + fifty});
    table.add({std::string("short"), std::int64_t{2}, std::string("y")});
    EXPECT_EQ(text_table(table), "A" + std::string(65, ' ') + "N  B\n" + fifty + " and some more" + "  1  " +
                                     fifty + ' ' + fifty + "\nwords\n" + "short" + std::string(59, ' ') +
                                     "  2  y\n");
}

TEST(Escaping, EscapesHtml) {
    EXPECT_EQ(escape_html("<script>alert('x') & \"y\"</script>"),
              "&lt;script&gt;alert(&#39;x&#39;) &amp; &quot;y&quot;&lt;/script&gt;");
}

TEST(Escaping, ReplacesInvalidText) {
    const std::string replacement = "\xEF\xBF\xBD";
    EXPECT_EQ(printable("a\nb"), "a" + replacement + "b");
    EXPECT_EQ(printable("\xFF"), replacement);
    EXPECT_EQ(printable("\xC0\xAF"), replacement + replacement);                    // overlong
    EXPECT_EQ(printable("\xED\xA0\x80"), replacement + replacement + replacement);  // surrogate
    EXPECT_EQ(printable("\xC2\x85"), replacement);                                  // control character
    EXPECT_EQ(printable("blk\xE2\x80\xAE"), "blk" + replacement);                   // right-to-left override
    EXPECT_EQ(printable("\xE2\x81\xA6\xD8\x9C"), replacement + replacement);        // isolate, letter mark
    EXPECT_EQ(printable("\xE2\x80\x93\xD7\x90"), "\xE2\x80\x93\xD7\x90");           // en dash, alef
    EXPECT_EQ(printable("é 漢 🙂"), "é 漢 🙂");
}

TEST(Escaping, CutsAtCharacterBoundaries) {
    EXPECT_EQ(shorten("größer", 4), "grö…");
    EXPECT_EQ(shorten("größer", 6), "größer");
}

TEST(Escaping, EscapesCsvFormulas) {
    EXPECT_EQ(escape_csv("=HYPERLINK(\"http://x\",\"y\")"), "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
    for (const char* text : {"=1", "+x", "-x", "@x", "-", "+-5", "-5+x", "-inf", "\tx", "--gpu-layers 5"})
        EXPECT_EQ(escape_csv(text), "'" + std::string(text));
    EXPECT_EQ(escape_csv("\rx"), "\"'\rx\"");
    for (const char* text : {"", "-5", "+1.5e3", "-.25", "1=1", "a-b", "'x"})
        EXPECT_EQ(escape_csv(text), text);
}

TEST(Escaping, QuotesCsvAndMarkdown) {
    EXPECT_EQ(escape_csv("plain"), "plain");
    EXPECT_EQ(escape_csv("a,\"b\""), "\"a,\"\"b\"\"\"");
    EXPECT_EQ(escape_markdown("a|b*"), "a\\|b\\*");
}

}  // namespace
}  // namespace splitscope
