// SPDX-License-Identifier: MIT
// Allocation failures at any point: the work ends with std::bad_alloc or an Error, or gives its normal
// result, and succeeds when repeated.
#include <memory>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/formats/capture_json.hpp"
#include "engine/formats/graph_json.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/formats/schedule_json.hpp"
#include "engine/importers/dot_graph.hpp"
#include "engine/importers/scheduler_log.hpp"
#include "engine/messages/render.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/suggest.hpp"
#include "engine/reports/render.hpp"
#include "engine/scheduler/debug_log.hpp"
#include "engine/session/compare_backends.hpp"
#include "engine/session/compare_generations.hpp"
#include "engine/session/compare_sessions.hpp"
#include "engine/session/import_log.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/resources.hpp"
#include "engine/session/session.hpp"
#include "engine/session/session_json.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "tests/generator/capture_of.hpp"
#include "tests/reliability/allocation_meter.hpp"
#include "tests/reports/sample_analysis.hpp"

namespace splitscope::testing {
namespace {

using Lasting = FailingAllocations::Lasting;

// All members of a result, as text.

std::string text_of(const std::string& text) {
    return text;
}

std::string text_of(const std::vector<std::string>& lines) {
    return fmt::format("{}\n", fmt::join(lines, "\n"));
}

std::string text_of(const std::vector<Message>& messages) {
    std::string text;
    for (const Message& message : messages) text += english(message) + "\n";
    return text;
}

std::string text_of(std::span<const TensorId> tensors) {
    std::string text;
    for (const TensorId tensor : tensors) text += fmt::format("{} ", tensor.value);
    return text;
}

std::string text_of(const Graph& graph) {
    return write_graph_json(graph);
}

std::string text_of(const Machine& machine) {
    return write_machine_json(machine);
}

std::string text_of(const Capture& capture) {
    return write_capture_json(capture);
}

std::string text_of(const DotGraph& dump) {
    return text_of(dump.graph) + text_of(dump.remarks);
}

std::string text_of(const SchedulerLog& log) {
    const auto opened = open_logged_graph(log, main_graph_of(log));
    return fmt::format("{} graphs of {}, {} lines, {} notes\n", log.graphs.size(), log.graphs_total,
                       log.lines, log.notes_total) +
           text_of(*opened->graph) + text_of(opened->machine.value()) + text_of(opened->remarks);
}

std::string text_of(const std::shared_ptr<const Analysis>& analysis) {
    return write_schedule_json(*analysis->schedule, *analysis->plan) + debug_log(*analysis->schedule) +
           text_of(analysis->notes);
}

/// Also whether the model can run: not without its tokenizer.
std::string text_of(const SavedSession& saved) {
    return write_session_json(saved, sample_model_path().parent_path()) +
           english(why_not_runnable(saved.session).value_or(Message::verbatim("runs")));
}

std::string text_of(const Session& session) {
    return text_of(SavedSession{session, {}, {}});
}

std::string text_of(const Hardware& hardware) {
    std::string text = text_of(hardware.machine);
    for (const DeviceFacts& d : hardware.devices) {
        text += fmt::format("{} {} {} {} {} {} {} {}\n", d.preset, d.title, d.memory_total, d.memory_free,
                            d.memory_bandwidth, d.link_bandwidth, d.flops_f16, d.flops_f32);
    }
    return text;
}

std::string text_of(const SuggestedPlan& planned) {
    return fmt::format("{} tokens/s, prompts {} tokens/s\n", planned.plan.tokens_per_second(),
                       planned.plan.prompt_tokens_per_second()) +
           text_of(switches_of(planned.choice)) + text_of(planned.plan.notes);
}

std::string text_of(const Suggestion& found) {
    return fmt::format("{} choices, {} planned, exact: {}\n{}\n", found.choices, found.planned, found.exact,
                       english(found.reason)) +
           (found.baseline ? text_of(*found.baseline) : "none\n") +
           (found.best ? text_of(*found.best) : "none\n");
}

std::string text_of(const SessionComparison& compared) {
    std::string text = fmt::format("{} matched, {} elsewhere\n", compared.matched, compared.elsewhere);
    for (const PairDifference& pair : compared.pairs) {
        text += fmt::format("{} {} {} {} {} {}\n", pair.a.value, pair.b.value, static_cast<int>(pair.pass),
                            pair.decision_a.value_or(0), pair.decision_b.value_or(0), pair.elsewhere);
    }
    return text + text_of(compared.only_a) + "\n" + text_of(compared.only_b);
}

std::string text_of(const ComparedGenerations& compared) {
    const ScheduleComparison& comparison = compared.comparison;
    std::string text = fmt::format("{} elsewhere, first split {}, {} and {} bytes copied\n",
                                   comparison.elsewhere, comparison.first_split.value_or(SplitId()).value,
                                   comparison.copied_bytes_a, comparison.copied_bytes_b);
    for (const TensorDifference& tensor : comparison.tensors) {
        text += fmt::format("{} {} {} {}\n", tensor.tensor.value, static_cast<int>(tensor.pass),
                            tensor.backend_a.value, tensor.backend_b.value);
    }
    return text + text_of(compared.a) + text_of(compared.b);
}

std::string text_of(const BackendComparison& compared) {
    std::string text =
        fmt::format("{} and {}: {} compared, {} refused, {} exceeding\n", compared.tested, compared.reference,
                    compared.compared, compared.refused, compared.exceeding);
    for (const GraphComparison& graph : compared.graphs) {
        text += english(graph.title) + "\n";
        for (const NodeComparison& node : graph.nodes) {
            text += fmt::format("{} {} {} {} {}\n", node.tensor.value, node.nmse, node.largest,
                                node.differing, node.count);
        }
    }
    return text;
}

/// Without its timings.
std::string text_of(const RunResult& run) {
    return fmt::format("{}\n{}\n{}\ncancelled: {}, {}\n", fmt::join(run.prompt_tokens, " "),
                       fmt::join(run.tokens, " "), run.text, run.cancelled,
                       english(run.notes.empty() ? Message() : run.notes.front())) +
           text_of(run.prefill);
}

/// Fails allocations at about `places` points spread over the work, more densely at the start. A failure may
/// be absorbed if it has no effect, such as that of the buffer of a stable sort: the result is then the
/// normal one.
template <class Work>
void expect_recovery(const Work& work, std::size_t places, Lasting lasting) {
    using Result = std::invoke_result_t<const Work&>;
    const std::string undisturbed = text_of(work());
    std::size_t failures = 0;
    std::size_t step = 1;
    for (std::size_t number = 0;; number += step) {
        std::unique_ptr<const Result> result;  // none: it ended with an error
        try {
            const FailingAllocations failing(number, lasting);
            result = std::make_unique<const Result>(work());
        } catch (const std::bad_alloc&) {
            result.reset();
        } catch (const Error&) {
            result.reset();
        }
        const bool failed = result == nullptr || FailingAllocations::happened();
        EXPECT_TRUE(result == nullptr || text_of(*result) == undisturbed)
            << "allocation " << number << " failed, and the result is another one";
        if (!failed) break;
        if (++failures % (places / 8 + 1) == 0) step *= 3;
    }
    EXPECT_GT(failures, 4U);
    EXPECT_TRUE(text_of(work()) == undisturbed) << "once there is memory again";
}

template <class Work>
void expect_recovery(const Work& work, std::size_t places) {
    for (const Lasting lasting : {Lasting::once, Lasting::for_good}) {
        SCOPED_TRACE(lasting == Lasting::once ? "one allocation" : "all that follow");
        expect_recovery(work, places, lasting);
    }
}

TEST(AllocationFailure, SchedulingAndPlanning) {
    const auto analysis = test::two_backend_analysis();
    expect_recovery([&] { return analyse(analysis->session); }, 400);
}

TEST(AllocationFailure, EveryReport) {
    const auto analysis = test::two_backend_analysis();
    for (const ReportFormat format :
         {ReportFormat::html, ReportFormat::markdown, ReportFormat::csv, ReportFormat::json}) {
        SCOPED_TRACE(name_of(format));
        expect_recovery([&] { return render(make_report(*analysis, nullptr, options_for(format)), format); },
                        80);
    }
}

TEST(AllocationFailure, ReadingALog) {
    const std::string log = debug_log(*test::two_backend_analysis()->schedule);
    expect_recovery([&] { return parse_scheduler_log(log); }, 100);
}

TEST(AllocationFailure, ReadingADump) {
    const std::string dump =
        read_text_file(std::string(SPLITSCOPE_SOURCE_DIR) + "/tests/fuzz/seeds/dot_graph/small");
    expect_recovery([&] { return parse_dot_graph(dump); }, 100);
}

TEST(AllocationFailure, ReadingAndWritingJson) {
    const auto analysis = test::two_backend_analysis();
    Capture capture = test::capture_of(*analysis);
    const std::string graph = write_graph_json(*analysis->graph);
    const std::string machine = write_machine_json(*analysis->machine);
    const std::string recording = write_capture_json(capture);
    expect_recovery([&] { return parse_graph_json(graph); }, 200);
    expect_recovery([&] { return write_graph_json(*analysis->graph); }, 100);
    expect_recovery([&] { return parse_machine_json(machine); }, 200);
    expect_recovery([&] { return write_machine_json(*analysis->machine); }, 100);
    expect_recovery([&] { return parse_capture_json(recording); }, 200);
    expect_recovery([&] { return write_capture_json(capture); }, 100);
}

TEST(AllocationFailure, ReadingAndWritingASession) {
    const auto folder = sample_model_path().parent_path();
    SavedSession saved{default_session(open_file(sample_model_path())), {}, {}};
    for (int i = 0; i < 20; ++i) {
        saved.notes.bookmarks.push_back({"a tensor with a name " + std::to_string(i), "why is it here?"});
        saved.notes.stops.push_back({StopKind::cause, "3.upg", true});
        saved.breakpoints.push_back({i + 1, BreakpointKind::glob, "ffn_*"});
    }
    const std::string text = write_session_json(saved, folder);
    expect_recovery([&] { return write_session_json(saved, folder); }, 100);
    expect_recovery([&] { return parse_saved_session_json(text, folder, "session"); }, 200);
}

TEST(AllocationFailure, ReadingDevices) {
    expect_recovery([] { return hardware_of_presets({"rtx-3090"}); }, 200);
}

TEST(AllocationFailure, SuggestingAPlacement) {
    const auto file = GgufFile::open(sample_model_path());
    const auto model = make_model(file);
    const Hardware hardware = hardware_of_presets({"rtx-3090"});
    expect_recovery([&] { return suggest(*file, model.get(), hardware, {}, Generation::g2026_08); }, 80);
}

TEST(AllocationFailure, ComparingSessionsAndGenerations) {
    Session session = default_session(open_file(sample_model_path()));
    const auto a = analyse(session);
    session.model_options.gpu_layers = 0;
    const auto b = analyse(session);
    expect_recovery([&] { return compare_sessions(*a, *b); }, 80);
    expect_recovery([&] { return compare_generations(session, Generation::g2024_10, Generation::g2026_08); },
                    80);
}

TEST(AllocationFailure, ComparingBackends) {
    const Session session = default_session(open_file(sample_model_path()));
    BackendComparisonOptions options;
    options.prompt_tokens = {1, 2};
    options.threads = 1;
    expect_recovery([&] { return compare_backends(session, "cpu", "cpu", options); }, 40);
}

TEST(AllocationFailure, OpeningAndRunningAModel) {
    expect_recovery([&] { return default_session(open_file(sample_model_path())); }, 60);
    const Session session = default_session(open_file(sample_model_path()));
    RunOptions options;
    options.prompt = "One";
    options.tokens = 1;
    options.threads = 1;
    expect_recovery([&] { return run_model(session, options); }, 60);
}

}  // namespace
}  // namespace splitscope::testing
