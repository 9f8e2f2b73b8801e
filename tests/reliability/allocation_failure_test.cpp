// SPDX-License-Identifier: MIT
// Memory runs out at any allocation: the work ends with std::bad_alloc or an Error, and done again it
// succeeds.
#include <functional>
#include <memory>
#include <new>
#include <string>

#include <gtest/gtest.h>

#include "backends/vulkan/vulkan_registration.hpp"
#include "engine/formats/capture_json.hpp"
#include "engine/formats/graph_json.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/importers/dot_graph.hpp"
#include "engine/importers/scheduler_log.hpp"
#include "engine/planning/device_preset.hpp"
#include "engine/planning/suggest.hpp"
#include "engine/reports/render.hpp"
#include "engine/scheduler/debug_log.hpp"
#include "engine/session/compare_backends.hpp"
#include "engine/session/compare_generations.hpp"
#include "engine/session/compare_sessions.hpp"
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

/// Fails allocations at about `places` numbers spread over the work, early ones densely.
void expect_recovery(const std::function<void()>& work, std::size_t places, Lasting lasting) {
    std::size_t failures = 0;
    std::size_t step = 1;
    for (std::size_t number = 0;; number += step) {
        bool failed = false;
        try {
            const FailingAllocations failing(number, lasting);
            work();
            failed = FailingAllocations::happened();
        } catch (const std::bad_alloc&) {
            failed = true;
        } catch (const Error&) {
            failed = true;
        }
        if (!failed) break;
        if (++failures % (places / 8 + 1) == 0) step *= 3;
    }
    EXPECT_GT(failures, 4U);
    EXPECT_NO_THROW(work()) << "once there is memory again";
}

void expect_recovery(const std::function<void()>& work, std::size_t places) {
    for (const Lasting lasting : {Lasting::once, Lasting::for_good}) {
        SCOPED_TRACE(lasting == Lasting::once ? "one allocation" : "all that follow");
        expect_recovery(work, places, lasting);
    }
}

TEST(AllocationFailure, SchedulingAndPlanning) {
    const auto analysis = test::two_backend_analysis();
    expect_recovery([&] { analyse(analysis->session); }, 400);
}

TEST(AllocationFailure, EveryReport) {
    const auto analysis = test::two_backend_analysis();
    for (const ReportFormat format :
         {ReportFormat::html, ReportFormat::markdown, ReportFormat::csv, ReportFormat::json}) {
        SCOPED_TRACE(name_of(format));
        expect_recovery([&] { render(make_report(*analysis, nullptr, options_for(format)), format); }, 80);
    }
}

TEST(AllocationFailure, ReadingALog) {
    const std::string log = debug_log(*test::two_backend_analysis()->schedule);
    expect_recovery([&] { parse_scheduler_log(log); }, 100);
}

TEST(AllocationFailure, ReadingADump) {
    const std::string dump =
        read_text_file(std::string(SPLITSCOPE_SOURCE_DIR) + "/tests/fuzz/seeds/dot_graph/small");
    expect_recovery([&] { parse_dot_graph(dump); }, 100);
}

TEST(AllocationFailure, ReadingAndWritingJson) {
    const auto analysis = test::two_backend_analysis();
    Capture capture = test::capture_of(*analysis);
    const std::string graph = write_graph_json(*analysis->graph);
    const std::string machine = write_machine_json(*analysis->machine);
    const std::string recording = write_capture_json(capture);
    expect_recovery([&] { parse_graph_json(graph); }, 200);
    expect_recovery([&] { write_graph_json(*analysis->graph); }, 100);
    expect_recovery([&] { parse_machine_json(machine); }, 200);
    expect_recovery([&] { write_machine_json(*analysis->machine); }, 100);
    expect_recovery([&] { parse_capture_json(recording); }, 200);
    expect_recovery([&] { write_capture_json(capture); }, 100);
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
    expect_recovery([&] { write_session_json(saved, folder); }, 100);
    expect_recovery([&] { parse_saved_session_json(text, folder, "session"); }, 200);
}

TEST(AllocationFailure, ReadingDevices) {
    expect_recovery([] { hardware_of_presets({"rtx-3090"}); }, 200);
}

TEST(AllocationFailure, SuggestingAPlacement) {
    const auto file = GgufFile::open(sample_model_path());
    const auto model = make_model(file);
    const Hardware hardware = hardware_of_presets({"rtx-3090"});
    expect_recovery([&] { suggest(*file, model.get(), hardware, {}, Generation::g2026_08); }, 80);
}

TEST(AllocationFailure, ComparingSessionsAndGenerations) {
    Session session = default_session(open_file(sample_model_path()));
    const auto a = analyse(session);
    session.model_options.gpu_layers = 0;
    const auto b = analyse(session);
    expect_recovery([&] { compare_sessions(*a, *b); }, 80);
    expect_recovery([&] { compare_generations(session, Generation::g2024_10, Generation::g2026_08); }, 80);
}

TEST(AllocationFailure, ComparingBackends) {
    const Session session = default_session(open_file(sample_model_path()));
    BackendComparisonOptions options;
    options.prompt_tokens = {1, 2};
    options.threads = 1;
    // Looking for devices is the work of drivers.
    options.vulkan = std::make_shared<VulkanKind>();
    expect_recovery([&] { compare_backends(session, "cpu", "cpu", options); }, 40);
}

TEST(AllocationFailure, OpeningAndRunningAModel) {
    expect_recovery([&] { default_session(open_file(sample_model_path())); }, 60);
    const Session session = default_session(open_file(sample_model_path()));
    RunOptions options;
    options.prompt = "One";
    options.tokens = 1;
    options.threads = 1;
    expect_recovery([&] { run_model(session, options); }, 60);
}

}  // namespace
}  // namespace splitscope::testing
