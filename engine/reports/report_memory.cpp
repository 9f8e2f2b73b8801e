// SPDX-License-Identifier: MIT
// Memory required on each device, and whether the model fits: the figures of `splitscope plan`.
#include <utility>

#include <fmt/format.h>

#include "engine/messages/format_bytes.hpp"
#include "engine/messages/render.hpp"
#include "engine/reports/figures.hpp"
#include "engine/reports/report_parts.hpp"

namespace splitscope::report_parts {
namespace {

std::uint64_t layers_on(const ModelLayout& layout, BackendId backend) {
    std::uint64_t count = 0;
    for (std::int32_t layer = 0; layer <= static_cast<std::int32_t>(layout.blocks); ++layer)
        count += layout.layers.backend_of(layer) == backend ? 1 : 0;
    return count;
}

Cell verdict(const DevicePlan& device) {
    if (!device.fits()) return {};
    if (*device.fits()) return fmt::format("{} left", format_bytes(device.memory - device.total()));
    return fmt::format("NO, {} {}", format_bytes(device.lacking()),
                       device.lacks_pages() ? "from disk" : "short");
}

}  // namespace

std::vector<Part> memory_parts(const ReportPlans& plans, const ReportOptions& options, Report& report,
                               std::vector<Fact>& first) {
    const ModelPlan& plan = plans.plan;
    Table table = new_table("device-memory", "Memory of each device",
                            {{"device", "Device", ColumnKind::backend},
                             {"layers", "Layers", ColumnKind::count},
                             {"weights_bytes", "Weights", ColumnKind::bytes},
                             {"cache_bytes", "Cache", ColumnKind::bytes},
                             {"compute_bytes", "Compute", ColumnKind::bytes},
                             {"output_bytes", "Output", ColumnKind::bytes},
                             {"total_bytes", "Total", ColumnKind::bytes},
                             {"memory_bytes", "Memory", ColumnKind::bytes},
                             {"fits", "Fits", ColumnKind::text}},
                            options);
    for (const DevicePlan& device : plan.devices) {
        table.add({device.name, cell(layers_on(*plan.layout, device.backend)), cell(device.weights),
                   cell(device.cache), device.complete ? cell(device.compute) : Cell(), cell(device.output),
                   cell(device.total()), device.memory > 0 ? cell(device.memory) : Cell(), verdict(device)});
        report.devices.push_back(
            {device.backend, device.weights, device.cache, device.compute, device.output, device.memory});
    }
    using Kind = Verdict::Kind;
    const Kind kind = plan.verdict.kind;
    const bool lacks = kind == Kind::lacks && !plan.verdict.lacks_only_pages();
    first.push_back({"Fits", kind == Kind::fits ? std::string("yes")
                             : lacks            ? std::string("NO")
                                                : labelled(report, plan.verdict.text())});
    if (plan.has_real_speed() && plan.generates() && plan.tokens_per_second() > 0)
        first.push_back({"Generates, estimated", format_figure(plan.tokens_per_second()) + " tokens/s"});
    if (plan.has_real_speed() && plan.prompt_tokens_per_second() > 0)
        first.push_back(
            {"Reads prompts, estimated", format_figure(plan.prompt_tokens_per_second()) + " tokens/s"});
    return {
        ShownTable{std::move(table), TableLook::titled},
        Picture{
            figures::device_memory,
            "Each bar is one device's memory, the red line its end; from the left weights, caches, compute "
            "buffer and results. The compute buffer is the larger of the prompt's and the one-token "
            "graph's."}};
}

}  // namespace splitscope::report_parts
