// SPDX-License-Identifier: MIT
#include "engine/formats/documents/run_json.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "engine/execution/execution_profile.hpp"
#include "engine/formats/json_writer.hpp"

namespace splitscope {
namespace {

/// `name`: empty, or the prefix of the members.
void write_work(JsonWriter& json, const std::string& name, const StepWork& work,
                std::chrono::nanoseconds time) {
    if (work.bytes) json.member(name + "bytes", static_cast<std::uint64_t>(std::llround(*work.bytes)));
    if (work.flops) json.member(name + "flops", *work.flops);
    if (const auto rate = rate_of(work.bytes, time)) json.member(name + "bytes_per_second", *rate);
    if (const auto rate = rate_of(work.flops, time)) json.member(name + "flops_per_second", *rate);
}

void write_profile(JsonWriter& json, std::string_view name, const Schedule& schedule,
                   const Execution& execution) {
    json.objects(name, profile_of(schedule, execution), [&](const ProfileLine& line) {
        json.member("step", line.step);
        json.member("backend", schedule.machine->backends[line.backend.index()].name);
        json.member("count", line.count);
        json.member("nanoseconds", line.time.count());
        write_work(json, "", line.work, line.time);
        json.member("slowest", line.slowest.valid() ? schedule.tensor(line.slowest).name : std::string());
        json.member("slowest_nanoseconds", line.slowest_time.count());
        write_work(json, "slowest_", line.slowest_work, line.slowest_time);
    });
}

void write_devices(JsonWriter& json, std::string_view name, const Schedule& schedule,
                   const Execution& execution) {
    std::vector<BackendId> counted;
    for (std::size_t b = 0; b < execution.work.size(); ++b) {
        if (execution.work[b]) counted.emplace_back(b);
    }
    const std::vector<FusedLine> fused = fused_of(schedule, execution);
    json.objects(name, counted, [&](BackendId id) {
        const DeviceWork& work = *execution.work[id.index()];
        json.member("backend", schedule.machine->backends[id.index()].name);
        json.member("submissions", work.submissions);
        json.member("dispatches", work.dispatches);
        json.member("barriers", work.barriers);
        json.member("copies", work.copies);
        json.member("copied_bytes", work.copied_bytes);
        json.member("touched_bytes", work.touched_bytes);
        std::vector<FusedLine> of_device;
        std::ranges::copy_if(fused, std::back_inserter(of_device),
                             [&](const FusedLine& line) { return line.backend == id; });
        json.objects("together", of_device, [&](const FusedLine& line) {
            json.member("steps", line.steps);
            json.member("kernels", line.kernels);
            json.member("touched_bytes", line.touched_bytes);
            json.member("flops", line.flops);
            json.member("first", line.first);
        });
    });
}

void write_measured(JsonWriter& json, const MeasuredWork& measured) {
    json.object([&] {
        json.member("name", measured.name);
        json.member("tokens", measured.tokens);
        json.member("seconds", measured.seconds);
        json.member("tokens_per_second", measured.mean());
        json.member("deviation", measured.deviation());
    });
}

}  // namespace

std::string write_run_json(const RunResult& result, bool profile) {
    const bool prompt = profile && result.prefill && result.prefill_execution;
    const bool token = profile && result.decode && result.decode_execution;
    JsonWriter json;
    json.object([&] {
        json.format("splitscope-run", 1);
        if (!result.prompt.empty()) json.member("prompt", result.prompt);
        json.member("prompt_tokens", result.prompt_tokens);
        json.member("tokens", result.tokens);
        json.member("text", result.text);
        json.member("cancelled", result.cancelled);
        if (!prompt && !token) return;
        json.object("profile", [&] {
            if (prompt) json.member("prompt_batch", result.prefill_tokens);
            if (prompt) write_profile(json, "prompt", *result.prefill->schedule, *result.prefill_execution);
            if (token) write_profile(json, "token", *result.decode->schedule, *result.decode_execution);
            if (prompt)
                write_devices(json, "prompt_devices", *result.prefill->schedule, *result.prefill_execution);
            if (token)
                write_devices(json, "token_devices", *result.decode->schedule, *result.decode_execution);
        });
    });
    return std::move(json).take();
}

std::string write_bench_json(const Session& session, const std::vector<MeasuredWork>& all,
                             std::uint32_t threads) {
    JsonWriter json;
    json.object([&] {
        json.format("splitscope-bench", 1);
        json.member("model", session.file->title());
        json.array("backends", [&] {
            for (const MachineBackend& backend : session.machine.backends) json.value(backend.name);
        });
        json.member("threads", threads);
        json.array("tests", [&] {
            for (const MeasuredWork& measured : all) write_measured(json, measured);
        });
    });
    return std::move(json).take();
}

}  // namespace splitscope
