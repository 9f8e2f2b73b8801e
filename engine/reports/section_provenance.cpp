// SPDX-License-Identifier: MIT
// Provenance of a report: versions, file, and all switches that differ from their defaults.
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "engine/messages/render.hpp"
#include "engine/models/placement/program_defaults.hpp"
#include "engine/reports/messages.hpp"
#include "engine/reports/report_parts.hpp"
#include "engine/session/messages.hpp"

namespace splitscope::report_parts {
namespace {

/// Maximum number of remarks shown; a log may have many.
constexpr std::size_t kMaxListedRemarks = 20;

std::string compiler() {
#if defined(__clang__)
    return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
    return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
    return "an unknown compiler";
#endif
}

std::string layers_text(GpuLayers layers) {
    if (layers == GpuLayers::all()) return "all of them";
    const auto count = layers.count();
    return count ? fmt::format("{}", *count) : "half of them";
}

std::string graph_text(GraphKind kind, std::uint32_t tokens) {
    const std::string count = english(msg::kTokenCount(tokens));
    if (kind == GraphKind::prefill) return fmt::format("prefill of {}", count);
    return tokens > 1 ? fmt::format("decode of {}, one per sequence", count)
                      : fmt::format("decode of {}", count);
}

/// `tokens`: of the graph; 0 = unknown.
void add_model_facts(std::vector<Fact>& facts, const ModelOptions& options, const ModelLayout* layout,
                     std::uint32_t tokens) {
    if (tokens > 0) facts.push_back({"Graph", graph_text(options.kind, tokens)});
    facts.push_back({"Context", options.context == 0 ? "the model's own, at most 4096 cells"
                                                     : fmt::format("{} cells", options.context)});
    facts.push_back(
        {"Tokens at once", fmt::format("{}, given {} at a time", options.batch, options.logical_batch)});
    facts.push_back({"Layers on accelerators", layers_text(options.gpu_layers)});
    if (layout != nullptr) {
        facts.push_back({"Flash attention", layout->flash_attention ? "on" : "off"});
        facts.push_back({"Types of the cache",
                         fmt::format("{} for keys, {} for values", name_of(layout->flags.cache_type_k),
                                     name_of(layout->flags.cache_type_v))});
    }
    if (layout != nullptr) facts.push_back({"Switches", command_line_of(layout->flags)});
}

std::vector<Part> provenance_parts(const ReportInput& input, Report& /*report*/) {
    const Analysis& analysis = input.analysis;
    const ReportOptions& options = input.options;
    std::vector<Fact> facts;
    facts.push_back({"Program", fmt::format("Splitscope {}, built with {}", SPLITSCOPE_VERSION, compiler())});
    const OpenedFile& file = *analysis.session.file;
    facts.push_back(
        {"File", (options.show_path ? std::filesystem::absolute(file.path) : file.path.filename()).string()});
    facts.push_back({"Scheduler generation", std::string(name_of(analysis.session.generation))});
    if (file.model)
        add_model_facts(facts, analysis.session.model_options, analysis.layout.get(), input.summary.tokens);
    const Machine& machine = *analysis.machine;
    facts.push_back({"Machine", machine.name.empty() ? "unnamed" : machine.name});
    facts.push_back({"Pipeline copies", fmt::format("{}", analysis.schedule->n_copies)});
    facts.push_back({"Offload of operations", machine.op_offload ? "on" : "off"});
    facts.push_back({"Assigned before scheduling", english(msg::kTensors(machine.assignments.size()))});
    for (const Message& note : analysis.notes) facts.push_back({"Note", english(note)});
    for (std::size_t i = 0; i < file.remarks.size() && i < kMaxListedRemarks; ++i)
        facts.push_back({"Assumed", english(file.remarks[i])});
    if (file.remarks.size() > kMaxListedRemarks)
        facts.push_back({"Assumed", fmt::format("and {} more", file.remarks.size() - kMaxListedRemarks)});
    const ModelPlan* plan = options.plans != nullptr ? &options.plans->plan : nullptr;
    if (plan != nullptr && plan->has_real_speed() && plan->tokens_per_second() > 0)
        facts.push_back({"Estimates assume", english(plan->assumptions)});
    return {Facts{std::move(facts)}};
}

}  // namespace

ReportSection provenance_section() {
    return {"provenance", msg::kProvenanceSection, provenance_parts, "made_with"};
}

}  // namespace splitscope::report_parts
