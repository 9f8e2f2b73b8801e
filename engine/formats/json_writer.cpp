// SPDX-License-Identifier: MIT
#include "engine/formats/json_writer.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace splitscope {

void append_json_string(std::string& out, std::string_view text) {
    const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
    if (std::ranges::all_of(text, is_plain)) {
        out.append(1, '"').append(text).append(1, '"');
    } else {
        out += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    }
}

void JsonWriter::key(std::string_view name) {
    begin_value();
    append_json_string(out_, name);
    out_ += indented_ ? ": " : ":";
    behind_key_ = true;
}

void JsonWriter::open(char bracket) {
    begin_value();
    out_ += bracket;
    ++level_;
    first_ = true;
}

void JsonWriter::close(char bracket) {
    --level_;
    if (!first_) begin_line();
    out_ += bracket;
    first_ = false;
}

void JsonWriter::literal(std::string_view text) {
    begin_value();
    out_ += text;
}

void JsonWriter::text(std::string_view text) {
    begin_value();
    append_json_string(out_, text);
}

void JsonWriter::integer(std::int64_t number) {
    literal(fmt::format_int(number).c_str());
}

void JsonWriter::integer(std::uint64_t number) {
    literal(fmt::format_int(number).c_str());
}

void JsonWriter::number(double number) {
    literal(nlohmann::json(number).dump());
}

void JsonWriter::begin_value() {
    if (behind_key_) {
        behind_key_ = false;
        return;
    }
    if (!first_) out_ += ',';
    first_ = false;
    if (level_ > 0) begin_line();
}

void JsonWriter::begin_line() {
    constexpr std::size_t kSpaces = 2;
    if (indented_) out_.append(1, '\n').append(kSpaces * level_, ' ');
}

}  // namespace splitscope
