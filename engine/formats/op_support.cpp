// SPDX-License-Identifier: MIT
#include "engine/formats/op_support.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/support/error.hpp"
#include "engine/tensor/element_type.hpp"
#include "engine/tensor/op.hpp"

namespace splitscope {
namespace {

constexpr std::size_t kMaxNotes = 20;

struct TypedOperation {
    std::string_view name;
    std::array<std::string_view, 2> keys;
};
/// Where the type that decides stands; the others are the same in all cases that models need.
constexpr std::array kTyped = {TypedOperation{"MUL_MAT", {"type_a", ""}},
                               TypedOperation{"MUL_MAT_ID", {"type_a", ""}},
                               TypedOperation{"GET_ROWS", {"type", ""}},
                               TypedOperation{"CPY", {"type_src", "type_dst"}},
                               TypedOperation{"SET_ROWS", {"type", "type_dst"}},
                               TypedOperation{"FLASH_ATTN_EXT", {"type_KV", "type_K"}}};

/// Results, activations and indices have these, so a refusal of one would refuse everything.
bool always_present(std::string_view type) {
    return type == "f32" || type == "i32" || type == "i64";
}

/// One line of quoted fields; false when quotes do not close.
bool split_line(std::string_view line, std::vector<std::string>& fields) {
    fields.clear();
    std::string field;
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
            field += '"';
            ++i;
        } else if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            fields.push_back(std::move(field));
            field.clear();
        } else {
            field += c;
        }
    }
    fields.push_back(std::move(field));
    return !quoted;
}

/// The value of "key=value" among parameters; brackets hide commas.
std::string_view parameter(std::string_view parameters, std::string_view key) {
    std::size_t start = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= parameters.size(); ++i) {
        if (i < parameters.size() && parameters[i] == '[') ++depth;
        if (i < parameters.size() && parameters[i] == ']') --depth;
        if (i < parameters.size() && (parameters[i] != ',' || depth > 0)) continue;
        const std::string_view part = parameters.substr(start, i - start);
        if (part.starts_with(key) && part.size() > key.size() && part[key.size()] == '=')
            return part.substr(key.size() + 1);
        start = i + 1;
    }
    return {};
}

struct Columns {
    std::size_t backend = 0, family = 0, operation = 0, parameters = 0, mode = 0, supported = 0;
    std::size_t count = 0;
};

Columns find_columns(const std::vector<std::string>& names, std::string_view source) {
    const auto column = [&](std::string_view name, bool needed) {
        const auto found = std::ranges::find(names, name);
        if (found == names.end() && needed) {
            throw Error(ErrorKind::bad_file, fmt::format("there is no column '{}'", name),
                        fmt::format("{}:1", source),
                        "give a table written by test-backend-ops in support mode");
        }
        return found == names.end() ? names.size() : std::size_t(found - names.begin());
    };
    Columns columns;
    columns.backend = column("backend_name", true);
    columns.family = column("backend_reg_name", false);
    columns.operation = column("op_name", true);
    columns.parameters = column("op_params", true);
    columns.mode = column("test_mode", true);
    columns.supported = column("supported", true);
    columns.count = names.size();
    if (columns.family == names.size()) columns.family = columns.backend;
    return columns;
}

void count(SupportCount& counter, bool supported) {
    ++(supported ? counter.yes : counter.no);
}

}  // namespace

std::vector<OpSupportTable> parse_op_support(std::string_view text, std::string_view source,
                                             const JobContext& job) {
    std::map<std::string, OpSupportTable> tables;
    std::vector<std::string> notes;
    std::vector<std::string> fields;
    Columns columns;
    std::size_t number = 0;
    const std::size_t total = std::max<std::size_t>(text.size(), 1);
    std::size_t done = 0;
    while (done < text.size()) {
        const std::size_t end = std::min(text.find('\n', done), text.size());
        std::string_view line = text.substr(done, end - done);
        done = end + 1;
        ++number;
        if (number % 4096 == 0) {
            job.check();
            job.report(static_cast<double>(done) / static_cast<double>(total), "Reading the table");
        }
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.empty()) continue;
        const bool closed = split_line(line, fields);
        if (columns.count == 0) {
            columns = find_columns(fields, source);
            continue;
        }
        if (!closed || fields.size() != columns.count) {
            if (notes.size() < kMaxNotes) notes.push_back(fmt::format("line {}: not understood", number));
            continue;
        }
        const std::string& operation = fields[columns.operation];
        if (fields[columns.mode] != "support" || operation == "CONTEXT_ERROR" || operation == "BUILD_ERROR")
            continue;
        const bool supported = fields[columns.supported] == "1";
        OpSupportTable& table = tables[fields[columns.family]];
        count(table.operations[operation], supported);
        const auto typed = std::ranges::find(kTyped, operation, &TypedOperation::name);
        if (typed == kTyped.end()) continue;
        for (const std::string_view key : typed->keys) {
            const std::string_view type =
                key.empty() ? std::string_view() : parameter(fields[columns.parameters], key);
            if (!type.empty()) count(table.types[{operation, std::string(type)}], supported);
        }
    }
    std::vector<OpSupportTable> out;
    for (auto& [family, table] : tables) {
        table.family = family;
        table.notes = notes;
        out.push_back(std::move(table));
    }
    return out;
}

std::vector<std::string> OpSupportTable::unsupported_ops() const {
    std::vector<std::string> out;
    for (const auto& [name, answers] : operations)
        if (answers.yes == 0 && op_named(name)) out.push_back(name);
    return out;
}

std::map<std::string, std::vector<std::string>> OpSupportTable::unsupported_types() const {
    std::map<std::string, std::vector<std::string>> out;
    for (const auto& [pair, answers] : types) {
        const auto& [operation, type] = pair;
        const auto whole = operations.find(operation);
        if (answers.yes > 0 || whole == operations.end() || whole->second.yes == 0) continue;
        if (!always_present(type) && element_type_named(type)) out[operation].push_back(type);
    }
    return out;
}

std::vector<std::string> OpSupportTable::depends() const {
    std::vector<std::string> out;
    for (const auto& [name, answers] : operations)
        if (answers.yes > 0 && answers.no > 0) out.push_back(name);
    for (const auto& [pair, answers] : types)
        if (answers.yes > 0 && answers.no > 0) out.push_back(fmt::format("{} {}", pair.first, pair.second));
    return out;
}

}  // namespace splitscope
