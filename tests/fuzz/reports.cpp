// SPDX-License-Identifier: MIT
// Every report format of any analysis with arbitrary names: pages stay well-formed and load nothing, JSON
// parses. Depending on the bytes, with a run, another generation and plans of a model.
#include <nlohmann/json.hpp>

#include "engine/models/model.hpp"
#include "engine/reports/graph_dot.hpp"
#include "engine/reports/npy.hpp"
#include "engine/reports/render.hpp"
#include "engine/reports/report.hpp"
#include "engine/reports/text_table.hpp"
#include "engine/session/session.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/fuzz/arbitrary_case.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/tiny_model.hpp"
#include "tests/reports/markup_check.hpp"

namespace splitscope::fuzz {
namespace {

constexpr std::string_view kFolder = "/home/somebody/private";

std::optional<Session> session_of_graph(ByteSource& source) {
    const auto input = arbitrary_case(source);
    if (!input) return std::nullopt;
    Graph graph = *input->graph;
    graph.name = source.text(40);
    if (!graph.tensors.empty()) graph.tensors.back().name = cut_name(source.text(64));
    auto file = std::make_shared<OpenedFile>();
    file->path = std::string(kFolder) + "/g.graph.json";
    file->graph = std::make_shared<const Graph>(std::move(graph));
    Session session;
    session.machine = *input->machine;
    session.machine.name = source.text(40);
    session.file = std::move(file);
    return session;
}

/// A small model with valid weights and tokenizer and otherwise arbitrary contents.
Session session_of_model(ByteSource& source) {
    constexpr std::size_t kKinds = 4;
    static const std::array<std::string, kKinds> files = [] {
        std::array<std::string, kKinds> all;
        constexpr std::array<std::string_view, kKinds> kNames = {"llama", "qwen3moe", "gpt2", "mamba"};
        for (std::size_t i = 0; i < kKinds; ++i) all[i] = TinyModel::of(kNames[i]).file_bytes(false);
        return all;
    }();
    const MemoryFile stored(files[source.below(kKinds)]);
    auto file = std::make_shared<OpenedFile>();
    file->path = std::string(kFolder) + "/m.gguf";
    file->model = make_model(GgufFile::open(stored.path()));
    Session session = default_session(file);
    session.machine.name = source.text(40);
    session.model_options.context = 8;
    const auto layers = static_cast<std::int32_t>(source.below(4));
    session.model_options.gpu_layers = layers == 0 ? GpuLayers::half() : GpuLayers(layers - 1);
    session.model_options.kind = source.chance(128) ? GraphKind::prefill : GraphKind::decode;
    session.model_options.cpu_experts = source.chance(64);
    session.model_options.kv_offload = !source.chance(64);
    for (const MachineBackend& backend : session.machine.backends) {
        if (source.chance(32)) continue;
        DeviceFacts& facts = session.devices[backend.name];
        facts.title = source.text(12);
        facts.memory_total = source.number() * 1024;
        facts.memory_free = facts.memory_total;
        facts.memory_bandwidth = facts.link_bandwidth = static_cast<double>(source.number());
        facts.flops_f16 = facts.flops_f32 = static_cast<double>(source.number());
    }
    return session;
}

std::shared_ptr<const Execution> any_execution(const Schedule& schedule, ByteSource& source) {
    auto execution = std::make_shared<Execution>();
    std::int64_t now = 0;
    for (std::size_t n = source.below(24); n > 0; --n) {
        ExecutionEvent event;
        event.kind = static_cast<ExecutionEventKind>(source.below(4));
        event.split = SplitId(source.below(schedule.splits.size() + 1));
        if (event.split.index() < schedule.splits.size()) {
            const Split& split = schedule.splits[event.split.index()];
            event.backend = split.backend;
            event.first_node = event.last_node = split.start;
        }
        event.tensor = TensorId(source.below(schedule.graph->tensors.size()));
        event.bytes = source.number();
        event.start = std::chrono::nanoseconds(now);
        event.end = std::chrono::nanoseconds(now += source.byte());
        execution->events.push_back(event);
    }
    execution->duration = std::chrono::nanoseconds(now);
    return execution;
}

RunResult any_run(const std::shared_ptr<const Analysis>& analysis, ByteSource& source) {
    RunResult run;
    run.text = source.text(40);
    const Model* model = analysis->session.file->model.get();
    if (model != nullptr && model->tokenizer() != nullptr) run.prompt_tokens = {1, 2};
    run.tokens = {1};
    run.cancelled = source.chance(64);
    run.prefill_time = std::chrono::nanoseconds(source.number() & 0xffffff);
    run.decode_time = std::chrono::nanoseconds(source.number() & 0xffffff);
    run.prefill = analysis;
    run.prefill_execution = any_execution(*analysis->schedule, source);
    if (source.chance(128)) {
        run.decode = analysis;
        run.decode_execution = any_execution(*analysis->schedule, source);
    }
    return run;
}

/// `named_so`: a name equals that of the folder.
void check(const std::string& text, ReportFormat format, bool named_so) {
    require(named_so || text.find(kFolder) == std::string::npos, "reports hold no paths");
    if (format == ReportFormat::html) {
        require(test::markup_problem(text).empty(), "pages are well-formed");
        require(test::first_load(text).empty(), "pages load nothing");
    }
    if (format == ReportFormat::json || format == ReportFormat::trace)
        require(nlohmann::json::accept(text), "JSON reports are JSON");
}

/// The array of a tensor of a possible run, whose values may be truncated.
void write_array(const Graph& graph, ByteSource& source) {
    const Tensor& tensor = graph.tensors[source.below(graph.tensors.size())];
    constexpr std::int64_t kMaxElements = 4096;
    if (element_count(tensor) > kMaxElements) return;
    npy_of(tensor, std::as_bytes(source.rest()));
}

void write_all(const Session& session, ByteSource& source, bool named_so) {
    const auto analysis = analyse(session);
    std::optional<ComparedGenerations> compared;
    std::optional<ReportPlans> plans;
    std::optional<RunResult> run;
    if (source.chance(80)) {
        const Generation other = kGenerations[source.below(kGenerations.size())];
        compared = compare_generations(session, session.generation, other);
    }
    if (session.file->model) plans = plan_for_report(session, source.chance(128));
    if (source.chance(80)) run = any_run(analysis, source);
    const RunResult* const ran = run ? &*run : nullptr;
    std::uint8_t wanted = source.byte();
    if (wanted == 0) wanted = 0xFF;
    for (const ReportFormat format : {ReportFormat::html, ReportFormat::markdown, ReportFormat::json,
                                      ReportFormat::csv, ReportFormat::trace}) {
        if ((wanted >> static_cast<unsigned>(format) & 1U) == 0) continue;
        if (format == ReportFormat::trace && !run) continue;
        ReportOptions options = options_for(format);
        if (compared) options.comparison = &*compared;
        if (plans) options.plans = &*plans;
        const Report report = make_report(*analysis, ran, options);
        check(render(report, format), format, named_so);
        if (format != ReportFormat::csv) continue;
        for (const Table* const table : tables_of(report)) {
            text_table(*table);
            require(!render_csv(report, table->id).empty(), "a table by its name");
        }
        for (const ReportContent& section : report.sections)
            for (const Part& part : section.parts)
                if (const auto* facts = std::get_if<Facts>(&part.what)) text_facts(facts->facts);
    }
    if (!analysis->schedule->error)
        require(!graph_dot(*analysis->schedule).empty(), "a scheduled graph has a picture");
    if (!analysis->graph->tensors.empty()) write_array(*analysis->graph, source);
}

}  // namespace

void reports(Bytes bytes) {
    ByteSource source(bytes);
    const Generation generation = kGenerations[source.below(kGenerations.size())];
    expecting_errors([&] {
        const bool model = source.chance(64);
        std::optional<Session> session = model ? session_of_model(source) : session_of_graph(source);
        if (!session) return;
        session->generation = generation;
        write_all(*session, source, text_of(bytes).find(kFolder) != std::string_view::npos);
    });
}

}  // namespace splitscope::fuzz
