// SPDX-License-Identifier: GPL-3.0-or-later
#include <any>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/session_options.hpp"
#include "backends/interface/native_scheduler.hpp"
#include "backends/interface/usual_options.hpp"
#include "engine/formats/documents/verification_json.hpp"
#include "engine/messages/format_bytes.hpp"
#include "engine/messages/render.hpp"
#include "engine/session/messages.hpp"
#include "engine/session/verify_schedule.hpp"

namespace splitscope::cli {
namespace {

struct VerifyOptions {
    SessionOptions session;
    bool json = false;
};

/// All devices with a scheduler, except those in another device's memory; CPUs last. Completes the options of
/// their kind.
std::vector<std::string> devices_with_scheduler(SessionOptions& options) {
    std::vector<std::string> names;
    std::vector<std::string> cpus;
    for (const auto& kind : options.kinds()->kinds()) {
        if (!kind->extra_function(kNativeScheduler).has_value()) continue;
        if (const std::any usual = kind->extra_function(kUsualOptions); usual.has_value())
            options.kind_options = std::any_cast<const UsualOptions&>(usual)(options.kind_options);
        for (const ListedDevice& device : kind->list(options.kind_options).devices) {
            if (!device.usable() || device.type == DeviceKind::accel) continue;
            (device.type == DeviceKind::cpu ? cpus : names).push_back(device.name);
        }
    }
    names.insert(names.end(), cpus.begin(), cpus.end());
    return names;
}

void print_readable(Console& console, const std::vector<VerifiedGraph>& verified) {
    console.print(english(verdict_of(verified)) + "\n");
    for (const auto& [graph, v] : verified) {
        console.print(fmt::format("{}: {}, {}, {}", graph, english(msg::kTensors(v.tensors)),
                                  english(msg::kSplitCount(v.their_splits)),
                                  english(msg::kCopyCount(v.their_copies))));
        for (const ScheduleVerification::Size& size : v.sizes)
            console.print(fmt::format(", {} {}", size.backend, format_bytes(size.theirs)));
        console.print(v.same() ? ": no difference\n" : fmt::format("\n  {}\n", english(v.first)));
        if (v.elsewhere > 1) console.print(fmt::format("  {} tensors are on other backends\n", v.elsewhere));
    }
}

int run_verify(Console& console, VerifyOptions options) {
    SessionOptions& session = options.session;
    if (session.backends.empty() && session.machine.empty())
        session.backends = devices_with_scheduler(session);
    const JobContext job = console.job();
    const std::vector<VerifiedGraph> verified = verify_graphs(session.make_session(job), job);
    job.report(1, {});
    if (options.json) {
        console.write(write_verification_json(verified));
    } else {
        print_readable(console, verified);
    }
    for (const VerifiedGraph& each : verified)
        if (!each.verification.same()) return kDifferent;
    return kOk;
}

}  // namespace

void add_verify(CLI::App& program, const CommandContext& context) {
    auto options = std::make_shared<VerifyOptions>();
    CLI::App& command = *program.add_subcommand("verify",
                                                "Compare the simulated schedule with that of your engine's "
                                                "own scheduler, on the same graph and devices");
    options->session.add_to(command, context.kinds, false);
    command.add_flag("--json", options->json, "Print one JSON object");
    command.footer(
        "Example:\n"
        "  splitscope verify model.gguf --engine ~/llama.cpp/build/bin --gpu-layers 12");
    command.callback([options, set_action = context.set_action] {
        set_action([options](Console& console) { return run_verify(console, *options); });
    });
}

}  // namespace splitscope::cli
