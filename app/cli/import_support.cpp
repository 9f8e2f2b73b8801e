// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/import_support.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/cli/exit_code.hpp"
#include "app/cli/machine_file.hpp"
#include "app/cli/messages.hpp"
#include "engine/formats/documents/import_json.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/formats/op_support.hpp"
#include "engine/messages/render.hpp"
#include "engine/reports/text_table.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "engine/support/limits.hpp"

namespace splitscope::cli {
namespace {

void print_table(Console& console, const OpSupportTable& table, const std::vector<Message>& notes,
                 std::size_t rows) {
    console.print(fmt::format("{}: {} cases of {} operations\n", table.family, case_count(table),
                              table.operations.size()));
    const auto refused = table.unsupported_ops();
    console.print(fmt::format("  Refused: {}\n",
                              refused.empty() ? "nothing" : fmt::to_string(fmt::join(refused, ", "))));
    for (const auto& [op, types] : table.unsupported_types())
        console.print(fmt::format("  {} refused for: {}\n", op, fmt::join(types, ", ")));
    const auto depends = table.depends();
    if (!depends.empty())
        console.print(fmt::format("  Depends on shape or layout: {}\n", fmt::join(depends, ", ")));
    const std::size_t shown = rows == 0 ? notes.size() : std::min(rows, notes.size());
    for (std::size_t i = 0; i < shown; ++i) console.print("  Remark: " + english(notes[i]) + "\n");
    if (shown < notes.size())
        console.print("  … and " + english(msg::kRemarksNotShown(notes.size() - shown)) + "\n");
}

/// Devices are named by family and number: "CUDA0".
void apply(Console& console, const std::vector<OpSupportTable>& tables, const SupportImport& options) {
    Machine machine = read_machine_file(options.machine, console.job());
    std::size_t changed = 0;
    for (MachineBackend& backend : machine.backends) {
        const auto table = std::ranges::find_if(
            tables, [&](const OpSupportTable& t) { return backend.name.starts_with(t.family); });
        if (table == tables.end()) continue;
        ++changed;
        backend.unsupported_ops = table->unsupported_ops();
        backend.unsupported.clear();
        for (const auto& [op, types] : table->unsupported_types()) backend.unsupported.push_back({op, types});
    }
    if (changed == 0) {
        throw Error(ErrorKind::usage, msg::kNoBackendOfFamilies, options.machine, msg::kNameByFamily);
    }
    validate(machine);
    write_file_atomically(options.output, write_machine_json(machine));
    console.note(english(msg::kMachineWritten(options.output, changed)));
}

}  // namespace

bool is_support_table(const std::string& path) {
    constexpr std::string_view kFirstColumn = "\"backend_name\"";
    if (path == "-") return false;
    const std::string begin = read_start(path, 4096);
    return begin.starts_with('"') &&
           begin.substr(0, begin.find('\n')).find(kFirstColumn) != std::string_view::npos;
}

int import_support(Console& console, const SupportImport& options) {
    if (options.machine.empty() != options.output.empty()) {
        throw Error(ErrorKind::usage, msg::kTableNeedsBoth, options.file, msg::kGiveBothOrNeither);
    }
    for (const std::string& input : {options.file, options.machine})
        require_other_file(options.output, input);
    if (!options.output.empty()) require_writable(options.output);
    const auto [tables, notes] = parse_op_support(
        read_text_file(options.file, kMaxTextBytes, console.job().stop_token()), options.file, console.job());
    if (options.json) {
        console.write(write_op_support_json(tables, notes));
    } else {
        for (const OpSupportTable& table : tables) print_table(console, table, notes, options.rows);
    }
    if (!options.machine.empty()) apply(console, tables, options);
    return kOk;
}

}  // namespace splitscope::cli
