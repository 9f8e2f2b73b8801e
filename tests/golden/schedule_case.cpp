// SPDX-License-Identifier: MIT
#include "tests/golden/schedule_case.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "backends/simulated/simulated_machine.hpp"
#include "engine/formats/graph_json.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/formats/schedule_json.hpp"
#include "engine/memory/allocation_policy.hpp"
#include "engine/scheduler/make_schedule.hpp"
#include "engine/scheduler/plan_allocation.hpp"
#include "engine/support/file.hpp"

namespace splitscope::golden {
namespace {

using Json = nlohmann::json;

std::filesystem::path expected_file(const std::filesystem::path& folder, Generation generation) {
    return folder / ("expected-" + std::string(name_of(generation)) + ".json");
}

EmptyTensors empty_tensors_of(Generation generation) {
    return allocation_policy(generation).empty_sizes_wrap ? EmptyTensors::wrap_around
                                                          : EmptyTensors::have_no_bytes;
}

/// The first few differences between two JSON values.
std::string describe_difference(const Json& expected, const Json& actual) {
    std::string text;
    std::size_t shown = 0;
    for (const Json& step : Json::diff(expected, actual)) {
        const auto path = step.at("path").get<std::string>();
        const Json::json_pointer pointer(path);
        text += "\n    " + step.at("op").get<std::string>() + ' ' + path;
        if (expected.contains(pointer)) text += " expected " + expected.at(pointer).dump().substr(0, 200);
        if (step.contains("value")) text += " got " + step.at("value").dump().substr(0, 200);
        if (++shown == 6) break;
    }
    return text;
}

}  // namespace

ScheduleCase::ScheduleCase(const std::filesystem::path& case_folder)
    : folder(case_folder),
      graph(std::make_shared<const Graph>(parse_graph_json(read_text_file(case_folder / "graph.json")))),
      machine(
          std::make_shared<const Machine>(parse_machine_json(read_text_file(case_folder / "machine.json")))) {
}

bool ScheduleCase::has(Generation generation) const {
    return std::filesystem::exists(expected_file(folder, generation));
}

std::string ScheduleCase::difference(Generation generation) const {
    const Json expected = Json::parse(read_text_file(expected_file(folder, generation)));
    // The current pipeline copy depends on earlier runs; captures record it.
    const int current_copy = expected.value("cur_copy", 0);
    const SimulatedMachine simulated(machine, graph.get(), empty_tensors_of(generation));
    const Schedule schedule =
        make_schedule(graph, simulated.live(), {.generation = generation, .current_copy = current_copy});
    const auto plan = plan_allocation(schedule, simulated.live());
    if (expected.contains("n_copies") && expected.at("n_copies") != schedule.n_copies)
        return "n_copies differs";
    if (schedule.error || plan->error) return difference(generation, std::nullopt);
    return difference(generation, write_schedule_json(schedule, *plan));
}

std::string ScheduleCase::difference(Generation generation, const std::optional<std::string>& decided) const {
    Json expected = Json::parse(read_text_file(expected_file(folder, generation)));
    if (!expected.at("error").is_null()) {
        return decided ? "recorded error: " + expected.at("error").get<std::string>() : "";
    }
    if (!decided) return "an error where none was recorded";
    // Identify the run; not part of the decision.
    expected.erase("cur_copy");
    expected.erase("n_copies");
    const Json actual = Json::parse(*decided);
    return expected == actual ? "" : describe_difference(expected, actual);
}

std::shared_ptr<const AllocationPlan> ScheduleCase::plan(Generation generation) const {
    const SimulatedMachine simulated(machine, graph.get(), empty_tensors_of(generation));
    const Schedule schedule = make_schedule(graph, simulated.live(), {.generation = generation});
    return plan_allocation(schedule, simulated.live());
}

std::vector<std::filesystem::path> case_folders(const std::filesystem::path& root) {
    std::vector<std::filesystem::path> folders;
    for (const auto& entry : std::filesystem::directory_iterator(root)) {
        if (entry.is_directory()) folders.push_back(entry.path());
    }
    std::ranges::sort(folders);
    return folders;
}

}  // namespace splitscope::golden
