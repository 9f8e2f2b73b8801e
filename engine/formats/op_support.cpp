// SPDX-License-Identifier: MIT
#include "engine/formats/op_support.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "engine/formats/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/memory_bound.hpp"
#include "engine/tensor/element_type.hpp"
#include "engine/tensor/op.hpp"
#include "engine/tensor/tensor.hpp"

namespace splitscope {
namespace {

/// Of the memory bound, what the counts may take: the text comes before them, and what is written of them
/// after. Those of the eleven published tables together take a tenth of the least share.
constexpr std::uint64_t kShareOfBound = 16;
/// Overhead of the heap and the map per entry.
constexpr std::uint64_t kEntryBytes = 64;
/// Check for cancellation every few milliseconds, regardless of line length.

struct TypedOperation {
    std::string_view name;
    std::array<std::string_view, 2> keys;
};
/// Position of the decisive type among the parameters; the others are constant in relevant cases.
constexpr std::array kTyped = {TypedOperation{"MUL_MAT", {"type_a", ""}},
                               TypedOperation{"MUL_MAT_ID", {"type_a", ""}},
                               TypedOperation{"GET_ROWS", {"type", ""}},
                               TypedOperation{"CPY", {"type_src", "type_dst"}},
                               TypedOperation{"SET_ROWS", {"type", "type_dst"}},
                               TypedOperation{"FLASH_ATTN_EXT", {"type_KV", "type_K"}}};

/// Types of results, activations and indices: refusing one would refuse everything.
bool always_present(std::string_view type) {
    return type == "f32" || type == "i32" || type == "i64";
}

/// Parses quoted fields of one line; views are valid until the next line.
class Row {
 public:
    Row() { text_.reserve(kMaxSupportLineBytes); }

    /// False if quotes are unbalanced or there are more fields than `most`.
    bool split(std::string_view line, std::size_t most) {
        text_.clear();
        fields_.clear();
        std::size_t start = 0;
        bool quoted = false;
        const auto end_field = [&] {
            // Capacity is reserved, so the views stay valid.
            fields_.push_back(std::string_view(text_).substr(start));
            start = text_.size();
        };
        for (std::size_t i = 0; i < line.size(); ++i) {
            const char c = line[i];
            if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
                text_ += '"';
                ++i;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                if (fields_.size() + 1 >= most) return false;
                end_field();
            } else {
                text_ += c;
            }
        }
        end_field();
        return !quoted;
    }
    const std::vector<std::string_view>& fields() const { return fields_; }

 private:
    std::string text_;
    std::vector<std::string_view> fields_;
};

/// The value of "key=value" among parameters, ignoring commas in brackets.
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

Columns find_columns(const std::vector<std::string_view>& names, std::string_view source) {
    const auto column = [&](std::string_view name, bool needed) {
        const auto found = std::ranges::find(names, name);
        if (found == names.end() && needed) {
            throw Error(ErrorKind::bad_file, msg::kNoColumn(name), fmt::format("{}:1", source),
                        msg::kUseSupportTable);
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

class TableReader {
 public:
    TableReader(std::string_view text, std::string_view source, const JobContext& job)
        : text_(text),
          source_(source),
          job_(job),
          bound_(job.memory_bound().of_file(text.size()) / kShareOfBound) {}

    OpSupportFile read() {
        std::size_t next_check = 0;
        std::size_t at = 0;
        while (at < text_.size()) {
            if (at >= next_check) {
                job_.check();
                job_.report(static_cast<double>(at) / static_cast<double>(text_.size()), msg::kReadingTable);
                next_check = at + kBytesBetweenChecks;
            }
            const std::size_t end = std::min(text_.find('\n', at), text_.size());
            std::string_view line = text_.substr(at, end - at);
            at = end + 1;
            ++number_;
            if (line.ends_with('\r')) line.remove_suffix(1);
            if (line.empty()) continue;
            if (columns_.count == 0) {
                take_header(line);
            } else if (!take_row(line) && notes_.size() < kMaxSupportRemarks) {
                notes_.push_back(msg::kLineNotUnderstood(number_));
            }
        }
        OpSupportFile out;
        out.notes = std::move(notes_);
        for (auto& [family, table] : tables_) {
            table.family = family;
            out.tables.push_back(std::move(table));
        }
        return out;
    }

 private:
    std::string place() const { return fmt::format("{}:{}", source_, number_); }

    void take_header(std::string_view line) {
        if (line.size() > kMaxSupportLineBytes) {
            throw Error(ErrorKind::bad_file, msg::kHeaderTooLong, place(), msg::kUseSupportTable);
        }
        row_.split(line, kMaxSupportLineBytes + 1);
        columns_ = find_columns(row_.fields(), source_);
    }

    /// False if it cannot be parsed.
    bool take_row(std::string_view line) {
        if (line.size() > kMaxSupportLineBytes || !row_.split(line, columns_.count)) return false;
        const auto& fields = row_.fields();
        if (fields.size() != columns_.count) return false;
        const std::string_view operation = fields[columns_.operation];
        if (fields[columns_.mode] != "support" || operation == "CONTEXT_ERROR" || operation == "BUILD_ERROR")
            return true;
        const std::string_view family = fields[columns_.family];
        const auto typed = std::ranges::find(kTyped, operation, &TypedOperation::name);
        std::array<std::string_view, 2> types;
        for (std::size_t i = 0; typed != kTyped.end() && i < types.size(); ++i)
            if (!typed->keys[i].empty()) types[i] = parameter(fields[columns_.parameters], typed->keys[i]);
        for (const std::string_view name : {operation, family, types[0], types[1]})
            if (name.size() > kMaxNameBytes) return false;
        const bool supported = fields[columns_.supported] == "1";
        OpSupportTable& table = table_of(family);
        count(table.operations, std::string(operation), operation.size(), supported);
        for (const std::string_view type : types) {
            if (type.empty()) continue;
            count(table.types, {std::string(operation), std::string(type)}, operation.size() + type.size(),
                  supported);
        }
        return true;
    }

    OpSupportTable& table_of(std::string_view family) {
        const auto found = tables_.find(family);
        if (found != tables_.end()) return found->second;
        if (tables_.size() == kMaxSupportFamilies) {
            throw Error(ErrorKind::limit, msg::kTooManyFamilies(kMaxSupportFamilies), place(),
                        msg::kUseSupportTable);
        }
        return tables_.try_emplace(std::string(family)).first->second;
    }

    /// Memory is accounted for before an entry is created.
    template <class Counts>
    void count(Counts& counts, typename Counts::key_type key, std::size_t text_bytes, bool supported) {
        auto found = counts.find(key);
        if (found == counts.end()) {
            memory_ += sizeof(typename Counts::value_type) + kEntryBytes + text_bytes;
            if (memory_ > bound_) {
                throw beyond_memory_bound(msg::kOperationsTooLarge(bound_ >> 20), place());
            }
            found = counts.try_emplace(std::move(key)).first;
        }
        ++(supported ? found->second.yes : found->second.no);
    }

    std::string_view text_;
    std::string_view source_;
    const JobContext& job_;
    std::uint64_t bound_;
    std::uint64_t memory_ = 0;
    std::size_t number_ = 0;  ///< of the line
    Row row_;
    Columns columns_;
    std::map<std::string, OpSupportTable, std::less<>> tables_;
    std::vector<Message> notes_;
};

}  // namespace

OpSupportFile parse_op_support(std::string_view text, std::string_view source, const JobContext& job) {
    return TableReader(text, source, job).read();
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
