// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <memory>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.hpp"
#include "app/cli/companion_options.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/plan_options.hpp"
#include "engine/formats/documents/plan_json.hpp"
#include "engine/messages/format_bytes.hpp"
#include "engine/messages/format_number.hpp"
#include "engine/messages/render.hpp"
#include "engine/planning/assumed_memory.hpp"
#include "engine/planning/companions.hpp"
#include "engine/planning/fitting.hpp"
#include "engine/planning/given_switches.hpp"
#include "engine/reports/backend_name.hpp"
#include "engine/reports/text_table.hpp"
#include "engine/session/messages.hpp"
#include "engine/support/checked.hpp"

namespace splitscope::cli {
namespace {

std::int64_t whole(std::uint64_t value) {
    return static_cast<std::int64_t>(value);
}

/// The program whose defaults apply to missing switches.
struct Basis {
    Program program = Program::llama_server;
    Generation generation = Generation::g2026_08;
    Message assumption;  ///< which devices are assumed, if any
};

Cell memory_cell(std::uint64_t bytes) {
    return bytes == 0 ? Cell() : Cell(whole(bytes));
}

/// "  CPU → CUDA0: 88.0 KiB in 3 copies".
std::string links_of(const PlannedGraph& graph) {
    std::string lines;
    for (const LinkCopies& link : graph.links) {
        lines += fmt::format("  {} → {}: {} in {}\n", backend_name(*graph.timed, link.from),
                             backend_name(*graph.timed, link.to), format_bytes(link.bytes),
                             english(msg::kCopyCount(link.copies)));
    }
    return lines;
}

void print_graph(Console& console, std::string_view title, const PlannedGraph& graph, const ModelPlan& plan,
                 std::size_t rows) {
    std::string line =
        fmt::format("\n{} ({}): {}, {}, {} copied", title, english(msg::kTokenCount(graph.tokens)),
                    english(msg::kNodeCount(graph.nodes)), english(msg::kSplitCount(graph.splits)),
                    format_bytes(graph.copied_bytes));
    if (graph.uploaded_weight_bytes > 0)
        line += fmt::format(" of which {} are weights", format_bytes(graph.uploaded_weight_bytes));
    if (plan.has_real_speed() && plan.has_speed() && graph.cost.is_reliable()) {
        line += fmt::format("\n  estimated {}, {:.0f} % of it copying: {} tokens/s",
                            format_duration(std::llround(graph.cost.seconds * 1e9)),
                            100.0 * graph.cost.copy_seconds / graph.cost.seconds,
                            format_figure(graph.tokens / graph.cost.seconds));
    }
    console.print(line + "\n" + links_of(graph));
    const std::string reserved_for =
        graph.reserved_tokens == graph.tokens
            ? std::string()
            : fmt::format(" for {}, one per sequence", english(msg::kTokenCount(graph.reserved_tokens)));
    for (std::size_t b = 0; b < graph.peaks.size(); ++b) {
        if (graph.peaks[b].empty()) continue;
        console.print(fmt::format("  {} compute buffer {}{}, at its peak:\n", plan.devices[b].name,
                                  format_bytes(graph.compute_bytes[b]), reserved_for));
        const std::size_t shown = rows == 0 ? graph.peaks[b].size() : std::min(graph.peaks[b].size(), rows);
        for (std::size_t i = 0; i < shown; ++i) {
            const PeakTensor& t = graph.peaks[b][i];
            console.print(fmt::format("    {:>10}  {} ({})\n", format_bytes(t.bytes), t.name, t.op));
        }
        std::uint64_t rest = 0;
        for (std::size_t i = shown; i < graph.peaks[b].size(); ++i) rest += graph.peaks[b][i].bytes;
        std::uint64_t listed = rest;
        for (std::size_t i = 0; i < shown; ++i) listed += graph.peaks[b][i].bytes;
        if (shown < graph.peaks[b].size()) {
            console.print(fmt::format("    {:>10}  in {} more; --rows 0 lists them\n", format_bytes(rest),
                                      graph.peaks[b].size() - shown));
        }
        if (const std::uint64_t bytes = graph.compute_bytes[b]; bytes > listed)
            console.print(fmt::format("    {:>10}  in gaps between them\n", format_bytes(bytes - listed)));
    }
}

/// The verdict, before the figures.
std::string verdict_of(const ModelPlan& plan) {
    std::string text = english(plan.verdict.text());
    if (plan.verdict.kind == Verdict::Kind::lacks)
        return text + ". 'splitscope suggest' searches the same devices for a placement that does.\n";
    if (plan.has_real_speed() && plan.tokens_per_second() > 0)
        text += plan.generates()
                    ? fmt::format("; estimated to generate {} tokens/s and to read prompts at {}",
                                  format_figure(plan.tokens_per_second()),
                                  format_figure(plan.prompt_tokens_per_second()))
                    : fmt::format("; estimated to read prompts at {} tokens/s",
                                  format_figure(plan.prompt_tokens_per_second()));
    text += ".\n";
    if (plan.verdict.kind == Verdict::Kind::cannot_run && !plan.verdict.remedy.empty())
        text += "Try: " + english(plan.verdict.remedy) + ".\n";
    return text;
}

/// "8192 cells, 2048 for each of 4 sequences".
std::string context_of(const ModelLayout& layout) {
    const ContextSize& context = layout.cache_layout.context;
    const std::uint64_t total = std::uint64_t{context.cells} * context.streams;
    std::string text = fmt::format("{} cells", total);
    if (context.streams > 1) {
        text += fmt::format(", {} for each of {} sequences", context.cells, context.streams);
        if (total > round_up<std::uint64_t>(layout.flags.context, kCellMultiple))
            text += fmt::format(" (more than the {} asked for: each has a multiple of {})",
                                layout.flags.context, kCellMultiple);
    }
    return text;
}

Cell left_of(const DevicePlan& d) {
    if (!d.fits()) return {};
    if (*d.fits()) return Cell(fmt::format("{} left", format_bytes(d.memory - d.total())));
    return Cell(fmt::format("NO, {} {}", format_bytes(d.lacking()), d.lacks_pages() ? "from disk" : "short"));
}

void print_companions(Console& console, const ModelPlan& plan, const std::vector<CompanionPlan>& companions) {
    for (const CompanionPlan& companion : companions) {
        std::string where;
        for (const DevicePlan& d : plan.devices) {
            const std::uint64_t bytes = companion.bytes[d.backend.index()];
            if (bytes > 0)
                where += fmt::format("{}{} on {}", where.empty() ? "" : ", ", format_bytes(bytes), d.name);
        }
        console.print(fmt::format("In addition, {} {}: {}{}\n", name_of(companion.kind), companion.file,
                                  where.empty() ? "nothing" : where,
                                  companion.complete ? "" : " and more that is not known"));
    }
}

void print_plan(Console& console, const ModelPlan& plan, const Basis& basis, std::size_t rows,
                const std::vector<CompanionPlan>& companions) {
    const ModelLayout& layout = *plan.layout;
    console.print(layout.machine.name + "\n" + verdict_of(plan));
    console.print(fmt::format("As {} of {}: {}\n\n", name_of(basis.program), name_of(basis.generation),
                              command_line_of(layout.flags, basis.program, basis.generation)));
    Table table;
    table.columns = {{"device", "Device", ColumnKind::backend}, {"layers", "Layers", ColumnKind::count},
                     {"weights", "Weights", ColumnKind::bytes}, {"cache", "KV cache", ColumnKind::bytes},
                     {"compute", "Compute", ColumnKind::bytes}, {"output", "Output", ColumnKind::bytes},
                     {"total", "Total", ColumnKind::bytes},     {"memory", "Memory", ColumnKind::bytes},
                     {"fits", "Fits", ColumnKind::text}};
    for (const DevicePlan& d : plan.devices) {
        std::int64_t layers = 0;
        for (std::int32_t l = 0; l <= static_cast<std::int32_t>(layout.blocks); ++l)
            layers += layout.layers.backend_of(l) == d.backend ? 1 : 0;
        // Unknown values are null, not 0.
        const Cell compute = d.complete ? Cell(whole(d.compute)) : Cell();
        const Cell total = d.is_known() ? Cell(whole(d.total())) : Cell();
        table.add({d.name, layers, whole(d.weights), whole(d.cache), compute, whole(d.output), total,
                   memory_cell(d.memory), left_of(d)});
    }
    console.print(text_table(table));
    print_companions(console, plan, companions);
    console.print(fmt::format("\nContext {}, flash attention {}, pipelining {}: {}.\n", context_of(layout),
                              layout.flash_attention ? "on" : "off",
                              layout.pipeline.on ? "on (4 copies)" : "off", english(layout.pipeline.reason)));
    std::string less;
    for (const DevicePlan& d : plan.devices) {
        if (d.pipeline == 0) continue;
        less += fmt::format("{}{}{} on {}", less.empty() ? "" : ", ", format_bytes(d.pipeline),
                            less.empty() ? " less" : "", d.name);
    }
    if (!less.empty()) console.print(fmt::format("Without pipelining: {}.\n", less));
    for (const DevicePlan& d : plan.devices) {
        if (!d.offload_from || !plan.prompt) continue;
        console.print(fmt::format(
            "{} takes over operations on CPU weights from {} tokens on{}.\n", d.name, *d.offload_from,
            plan.prompt->uploaded_weight_bytes == 0
                ? std::string(": none here")
                : fmt::format("; {} are uploaded for each micro-batch of {}",
                              format_bytes(plan.prompt->uploaded_weight_bytes), plan.prompt->tokens)));
    }
    for (const RuleUse& use : layout.rules) {
        if (use.rule.origin == "--n-cpu-moe" && use.decided > 0) continue;
        console.print(fmt::format(
            "Override {}={}: {}{}\n", use.rule.pattern, use.rule.target, english(msg::kTensors(use.decided)),
            use.shadowed > 0 ? fmt::format(", {} more taken by earlier rules", use.shadowed)
                             : std::string()));
    }
    if (plan.decode) print_graph(console, "Decode", *plan.decode, plan, rows);
    if (plan.prompt) print_graph(console, "Prefill", *plan.prompt, plan, rows);
    if (plan.has_real_speed() && plan.has_speed())
        console.print("\nEstimates assume " + english(plan.assumptions) + ".\n");
    for (const Message& note : plan.notes) console.print("Note: " + english(note) + "\n");
    if (!basis.assumption.empty()) console.print("Note: " + english(basis.assumption) + "\n");
}

int run_plan(Console& console, const PlanOptions& options, const CompanionOptions& beside, bool json,
             std::size_t rows) {
    const JobContext job = console.job();
    const OpenedModel opened = open_model_file(options.file, job);
    const Hardware hardware = options.make_hardware(console.kinds(), job);
    const PlacementFlags flags = options.make_flags(*opened.file, hardware);
    ModelPlan plan =
        plan_model(*opened.file, opened.model.get(), hardware, flags, options.make_generation(), job);
    const std::vector<CompanionPlan> companions =
        add_companions(plan, *opened.file, beside.open(flags, options.make_generation(), job), hardware,
                       options.make_generation(), job);
    const Basis basis{options.program(), options.make_generation(), options.assumption(hardware)};
    Message fitting =
        fitting_notice(plan, options.switches.given_switches(), basis.program, basis.generation);
    if (!fitting.empty()) plan.notes.push_back(std::move(fitting));
    if (Message free = assumed_memory(plan, hardware); !free.empty()) plan.notes.push_back(std::move(free));
    if (plan.decode && !plan.decode->cost.known && has_measurable_devices(hardware.machine))
        plan.notes.emplace_back(msg::kCalibrateForSpeed);
    if (json) {
        console.write(write_plan_json(plan, *opened.file, basis.program, basis.generation, companions));
    } else {
        print_plan(console, plan, basis, rows, companions);
    }
    return plan.verdict.fits() ? kOk : kDifferent;
}

}  // namespace

void add_plan(CLI::App& program, const CommandContext& context) {
    auto options = std::make_shared<PlanOptions>();
    auto beside = std::make_shared<CompanionOptions>();
    auto json = std::make_shared<bool>(false);
    auto rows = std::make_shared<std::size_t>(6);
    CLI::App& command = *program.add_subcommand(
        "plan", "Check whether a model fits on devices, which need not be present, and estimate its speed");
    options->add_to(command, context.kinds);
    beside->add_to(command);
    command.add_flag("--json", *json, "Print one JSON object");
    command.add_option("--rows", *rows, "Tensors listed at the peak of each buffer; 0 = all")
        ->capture_default_str()
        ->type_name("N");
    command.footer(
        "Exit code 1 when a device has too little memory (even if only for pages of the mapped file), the "
        "model cannot run, or its needs are not known.\n"
        "Example:\n"
        "  splitscope plan model.gguf --device rtx-3090,ryzen-7950x-ddr5 -ngl 20\n"
        "  splitscope plan model.gguf --device rtx-3090 --mmproj mmproj.gguf --model-draft small.gguf\n"
        "  splitscope plan -m model.gguf -c 8192 -fa on -ctk q8_0 -ctv q8_0 -d rtx-3090 --like llama-cli");
    command.callback([options, beside, json, rows, set_action = context.set_action] {
        set_action([options, beside, json, rows](Console& console) {
            return run_plan(console, *options, *beside, *json, *rows);
        });
    });
}

}  // namespace splitscope::cli
