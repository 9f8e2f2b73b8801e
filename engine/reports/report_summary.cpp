// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "engine/messages/format_bytes.hpp"
#include "engine/reports/report_parts.hpp"

namespace splitscope::report_parts {
namespace {

double share_of(double part, double whole) {
    return whole > 0 ? part / whole : 0.0;
}

void add_model_facts(Report& report, const Model& model) {
    const ModelShape& shape = model.shape();
    report.summary.push_back({"Architecture", shape.architecture});
    report.summary.push_back({"Layers", fmt::format("{}", shape.layers)});
    report.summary.push_back({"Embedding", fmt::format("{}", shape.embedding)});
    report.summary.push_back(
        {"Heads", fmt::format("{} ({} for keys and values)", shape.heads, shape.kv_heads)});
    report.summary.push_back({"Vocabulary", format_count(shape.vocabulary)});
}

}  // namespace

void add_summary(Report& report, const Analysis& analysis, const Summary& summary,
                 const ReportOptions& options) {
    const auto count = [](std::size_t n) { return format_count(static_cast<std::int64_t>(n)); };
    report.summary.push_back(
        {"Nodes", fmt::format("{} ({} compute)", count(analysis.graph->nodes.size()), count(summary.nodes))});
    report.summary.push_back({"Splits", count(summary.splits)});
    report.summary.push_back(
        {"Copied per run", fmt::format("{} in {} {}", format_bytes(summary.copied_bytes),
                                       count(summary.copies), summary.copies == 1 ? "copy" : "copies")});
    report.summary.push_back({"Decisions", count(analysis.schedule->decisions.size())});
    std::uint64_t compute = 0;
    for (const auto& share : summary.backends) compute += share.compute_bytes;
    report.summary.push_back({"Compute buffers", format_bytes(compute)});
    report.summary.push_back({"Generation", std::string(name_of(analysis.session.generation))});
    if (analysis.session.file->model) add_model_facts(report, *analysis.session.file->model);

    Table shares = new_table("backend-shares", "Who runs what and holds what",
                             {{"backend", "Backend", ColumnKind::backend},
                              {"nodes", "Nodes", ColumnKind::count},
                              {"node_share", "of nodes", ColumnKind::share},
                              {"flops", "FLOPs", ColumnKind::number},
                              {"flop_share", "of FLOPs", ColumnKind::share},
                              {"weights_bytes", "Weights", ColumnKind::bytes},
                              {"cache_bytes", "Caches and inputs", ColumnKind::bytes},
                              {"compute_bytes", "Compute buffer", ColumnKind::bytes}},
                             options);
    for (const auto& share : summary.backends) {
        shares.add({analysis.machine->backends[share.backend.index()].name, cell(share.nodes),
                    share_of(static_cast<double>(share.nodes), static_cast<double>(summary.nodes)),
                    share.flops, share_of(share.flops, summary.flops), cell(share.weights_bytes),
                    cell(share.cache_bytes), cell(share.compute_bytes)});
    }
    report.summary_tables.push_back(std::move(shares));

    if (summary.fallbacks.empty()) return;
    Table fallbacks = new_table("cpu-fallbacks", "Operations that fell back to the CPU",
                                {{"op", "Operation", ColumnKind::name},
                                 {"count", "Nodes", ColumnKind::count},
                                 {"first", "First node", ColumnKind::name},
                                 {"reason", "Why", ColumnKind::text}},
                                options);
    for (const auto& fallback : summary.fallbacks) {
        fallbacks.add({std::string(name_of(fallback.op)), cell(fallback.count),
                       (*analysis.graph)[fallback.first].name, fallback.reason(*analysis.schedule)});
    }
    report.summary_tables.push_back(std::move(fallbacks));
}

}  // namespace splitscope::report_parts
