// SPDX-License-Identifier: MIT
#include "tests/golden/arch_table.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "engine/support/error.hpp"
#include "engine/support/file.hpp"

namespace splitscope::golden {
namespace {

constexpr std::string_view kBegin = "<!-- architectures: written by golden_tests -->\n";
constexpr std::string_view kEnd = "<!-- end of architectures -->\n";
constexpr std::array<std::string_view, kArchKinds.size()> kNames = {
    "weights", "caches", "compute", "compute, reordered", "nodes", "splits", "sizes", "graphs", "numbers"};

std::filesystem::path document_path() {
    return std::filesystem::path(SPLITSCOPE_SOURCE_DIR) / "docs" / "coverage.md";
}

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream stream(line);
    std::string cell;
    std::getline(stream, cell, '|');
    while (std::getline(stream, cell, '|')) {
        const auto first = cell.find_first_not_of(' ');
        cells.push_back(
            first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(' ') + 1 - first));
    }
    return cells;
}

Score score_of(const std::string& cell) {
    Score score;
    const auto slash = cell.find('/');
    if (slash == std::string::npos) return score;
    score.matched = std::stoul(cell);
    score.total = std::stoul(cell.substr(slash + 1));
    return score;
}

std::map<std::string, ArchRow> rows_of(const std::string& document) {
    std::map<std::string, ArchRow> rows;
    const auto begin = document.find(kBegin);
    const auto end = document.find(kEnd);
    if (begin == std::string::npos || end == std::string::npos) return rows;
    std::istringstream lines(document.substr(begin, end - begin));
    for (std::string line; std::getline(lines, line);) {
        const auto cells = cells_of(line);
        if (cells.size() < kArchKinds.size() + 3 || cells[0] == "recorded model" || cells[0][0] == '-' ||
            cells[0][0] == '*')
            continue;
        ArchRow row{cells[0], cells[1], cells[2] == "built" || cells[2] == "in part", {}};
        for (const ArchKind kind : kArchKinds)
            row.scores[kind] = score_of(cells[3 + static_cast<std::size_t>(kind)]);
        rows.emplace(cells[0], row);
    }
    return rows;
}

std::string table_of(const std::map<std::string, ArchRow>& rows) {
    std::map<std::string_view, std::set<std::string>> states;
    std::set<std::string> all;
    ArchScores sums;
    for (const auto& [name, row] : rows) {
        all.insert(row.architecture);
        states[row.state()].insert(row.architecture);
        for (const ArchKind kind : kArchKinds) {
            sums[kind].matched += row.scores[kind].matched;
            sums[kind].total += row.scores[kind].total;
        }
    }
    // The worst of several recordings counts.
    for (const std::string& name : states["in part"]) states["built"].erase(name);
    std::string text(kBegin);
    text += fmt::format("\n{} architectures: {} built", all.size(), states["built"].size());
    if (!states["in part"].empty()) text += fmt::format(", {} in part", states["in part"].size());
    text += fmt::format(", {} with weights and caches.\n\n", states["weights and caches"].size());
    text += "| recorded model | architecture | state |";
    for (const std::string_view name : kNames) text += fmt::format(" {} |", name);
    text += "\n|---|---|---|";
    for (std::size_t i = 0; i < kNames.size(); ++i) text += "---:|";
    text += '\n';
    for (const auto& [name, row] : rows) text += row.text() + "\n";
    text += "| **total** | | |";
    for (const ArchKind kind : kArchKinds)
        text += fmt::format(" {}/{} |", sums[kind].matched, sums[kind].total);
    return text + "\n\n";
}

/// Held while the document is read and rewritten.
class Lock {
 public:
    Lock() : file_(open(document_path().c_str(), O_RDONLY)) { flock(file_, LOCK_EX); }
    ~Lock() { close(file_); }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

 private:
    int file_;
};

}  // namespace

std::string_view name_of(ArchKind kind) {
    return kNames[static_cast<std::size_t>(kind)];
}

std::string_view ArchRow::state() const {
    const auto complete = [this](ArchKind kind) { return scores[kind].matched == scores[kind].total; };
    if (!complete(ArchKind::weights) || !complete(ArchKind::caches)) return "in part";
    if (!has_builder) return "weights and caches";
    for (const ArchKind kind : kArchKinds)
        if (kind != ArchKind::reordered && !complete(kind)) return "in part";
    return "built";
}

std::string ArchRow::text() const {
    std::string text = fmt::format("| {} | {} | {} |", name, architecture, state());
    for (const ArchKind kind : kArchKinds) {
        const Score& score = scores[kind];
        text += score.total == 0 ? " |" : fmt::format(" {}/{} |", score.matched, score.total);
    }
    return text;
}

std::optional<ArchRow> documented_row(const std::string& name) {
    const auto rows = rows_of(read_text_file(document_path()));
    const auto found = rows.find(name);
    return found == rows.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> documented_names() {
    std::vector<std::string> names;
    for (const auto& [name, row] : rows_of(read_text_file(document_path()))) names.push_back(name);
    return names;
}

void write_row(const ArchRow& row) {
    const Lock lock;
    std::string document = read_text_file(document_path());
    auto rows = rows_of(document);
    rows.insert_or_assign(row.name, row);
    const auto begin = document.find(kBegin);
    const auto end = document.find(kEnd);
    if (begin == std::string::npos || end == std::string::npos)
        throw std::runtime_error(fmt::format("{}: has no place for the table", document_path().string()));
    document.replace(begin, end - begin, table_of(rows));
    std::ofstream(document_path(), std::ios::binary) << document;
}

bool is_documented_folder() {
    std::error_code ignored;
    return std::filesystem::equivalent(root(), SPLITSCOPE_GOLDEN_DIR, ignored);
}

}  // namespace splitscope::golden
