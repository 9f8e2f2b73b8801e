// SPDX-License-Identifier: MIT
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "engine/messages/format_bytes.hpp"
#include "engine/messages/render.hpp"
#include "engine/reports/messages.hpp"
#include "engine/reports/report_parts.hpp"
#include "engine/session/messages.hpp"

namespace splitscope::report_parts {
namespace {

double share_of(double part, double whole) {
    return whole > 0 ? part / whole : 0.0;
}

void add_model_facts(std::vector<Fact>& facts, const Model& model) {
    const ModelShape& shape = model.shape();
    facts.push_back({"Architecture", shape.architecture});
    facts.push_back({"Layers", fmt::format("{}", shape.layers)});
    facts.push_back({"Embedding", fmt::format("{}", shape.embedding)});
    facts.push_back({"Heads", fmt::format("{} ({} KV heads)", shape.heads, shape.kv_heads)});
    facts.push_back({"Vocabulary", format_count(shape.vocabulary)});
}

/// What the labels of devices stand for in switches and logs.
void add_device_facts(std::vector<Fact>& facts, const Report& report) {
    for (const ReportBackend& backend : report.backends)
        if (backend.label != backend.name) facts.push_back({backend.name, backend.label});
}

std::vector<Fact> graph_facts(const Analysis& analysis, const Summary& summary) {
    std::vector<Fact> facts;
    facts.push_back({"Nodes", fmt::format("{} ({} compute)", count_text(analysis.graph->nodes.size()),
                                          count_text(summary.nodes))});
    facts.push_back({"Splits", count_text(summary.splits)});
    std::string copied =
        fmt::format("{} in {}", format_bytes(summary.copied_bytes), english(msg::kCopyCount(summary.copies)));
    if (summary.tokens > 0) copied += fmt::format(" for {}", english(msg::kTokenCount(summary.tokens)));
    facts.push_back({"Copied per run", std::move(copied)});
    facts.push_back({"Decisions", count_text(analysis.schedule->decisions.size())});
    std::uint64_t compute = 0;
    for (const auto& share : summary.backends) compute += share.compute_bytes;
    facts.push_back({"Compute buffers", format_bytes(compute)});
    facts.push_back({"Generation", std::string(name_of(analysis.session.generation))});
    if (analysis.session.file->model) add_model_facts(facts, *analysis.session.file->model);
    return facts;
}

std::string flops_title(const Summary& summary) {
    return summary.tokens > 0 ? fmt::format("FLOPs of {}", english(msg::kTokenCount(summary.tokens)))
                              : "FLOPs";
}

Table share_table(const Analysis& analysis, const Summary& summary, const ReportOptions& options) {
    Table shares = new_table("backend-shares", "Who runs what and holds what",
                             {{"backend", "Backend", ColumnKind::backend},
                              {"nodes", "Nodes", ColumnKind::count},
                              {"node_share", "of nodes", ColumnKind::share},
                              {"flops", flops_title(summary), ColumnKind::number},
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
    return shares;
}

Table fallback_table(const Analysis& analysis, const Summary& summary, const Report& report,
                     const ReportOptions& options) {
    Table fallbacks = new_table("cpu-fallbacks", "Operations that fell back to the CPU",
                                {{"op", "Operation", ColumnKind::name},
                                 {"count", "Nodes", ColumnKind::count},
                                 {"first", "First node", ColumnKind::name},
                                 {"reason", "Why", ColumnKind::text}},
                                options);
    for (const auto& fallback : summary.fallbacks) {
        fallbacks.add({std::string(name_of(fallback.op)), cell(fallback.count),
                       (*analysis.graph)[fallback.first].name,
                       labelled(report, fallback.reason(*analysis.schedule))});
    }
    return fallbacks;
}

std::vector<Part> summary_parts(const ReportInput& input, Report& report) {
    Facts facts{.facts = {}, .tiles = true};
    std::vector<Part> memory;
    // Whether the model fits comes first.
    if (input.options.plans != nullptr)
        memory = memory_parts(*input.options.plans, input.options, report, facts.facts);
    add_device_facts(facts.facts, report);
    const std::vector<Fact> more = graph_facts(input.analysis, input.summary);
    facts.facts.insert(facts.facts.end(), more.begin(), more.end());
    std::vector<Part> parts = {std::move(facts)};
    parts.emplace_back(
        ShownTable{share_table(input.analysis, input.summary, input.options), TableLook::titled});
    parts.emplace_back(
        ShownTable{fallback_table(input.analysis, input.summary, report, input.options), TableLook::titled});
    parts.insert(parts.end(), std::make_move_iterator(memory.begin()), std::make_move_iterator(memory.end()));
    return parts;
}

}  // namespace

ReportSection summary_section() {
    return {"summary", msg::kSummarySection, summary_parts, "summary"};
}

}  // namespace splitscope::report_parts
