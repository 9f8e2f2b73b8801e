// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.hpp"
#include "app/cli/device_examples.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/kind_switches.hpp"
#include "app/cli/machine_file.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/threads_option.hpp"
#include "engine/formats/documents/devices_json.hpp"
#include "engine/messages/render.hpp"
#include "engine/planning/calibrate.hpp"
#include "engine/planning/this_computer.hpp"
#include "engine/reports/text_table.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/messages.hpp"
#include "engine/session/open_session.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"

namespace splitscope::cli {
namespace {

struct CalibrateCommandOptions {
    std::string model;
    std::string machine;
    std::string output;
    std::vector<std::string> backends;
    CalibrateOptions calibrate;
    bool json = false;
};

KnownMachine machine_to_measure(const CalibrateCommandOptions& options, const BackendKinds& kinds,
                                const JobContext& job) {
    if (!options.machine.empty()) return read_known_machine_file(options.machine, job);
    const KindOptions& kind_options = options.calibrate.kind_options;
    if (options.backends.empty()) return this_computer(kinds, kind_options, job).known;
    return known_devices(options.backends, kinds, kind_options, job);
}

std::string rate_text(double per_second, const char* unit) {
    return per_second > 0 ? fmt::format("{:.4g} {}", per_second / 1e9, unit) : "–";
}

std::string microseconds_text(double seconds) {
    const int decimals = seconds < 1e-4 ? 1 : 0;
    return seconds > 0 ? fmt::format("{:.{}f} µs", seconds * 1e6, decimals) : "–";
}

void print_calibration(Console& console, const Calibration& calibration) {
    Table table;
    table.columns = {{"device", "Device", ColumnKind::name}, {"weights", "Weights", ColumnKind::text},
                     {"memory", "Memory", ColumnKind::text}, {"products", "Products", ColumnKind::text},
                     {"f32", "In F32", ColumnKind::text},    {"start", "Per operation", ColumnKind::text},
                     {"link", "Link", ColumnKind::text},     {"latency", "Latency", ColumnKind::text}};
    for (const MeasuredDevice& device : calibration.devices) {
        const DeviceFacts& facts = device.facts;
        table.add({device.name, device.weights, rate_text(facts.memory_bandwidth, "GB/s"),
                   rate_text(facts.flops_f16, "GFLOP/s"), rate_text(facts.flops_f32, "GFLOP/s"),
                   microseconds_text(facts.node_seconds), rate_text(facts.link_bandwidth, "GB/s"),
                   microseconds_text(facts.link_latency)});
    }
    console.print(text_table(table));
    for (const MeasuredDevice& device : calibration.devices) {
        if (device.decode) {
            console.print(
                fmt::format("{}: a token took {:.3g} ms; {:.3g} ms estimated from products alone, {:.3g} ms "
                            "with these rates\n",
                            device.name, device.decode->seconds * 1e3, device.decode->from_products * 1e3,
                            device.decode->estimated * 1e3));
        } else if (!device.no_decode.empty()) {
            console.print(fmt::format("{}: no decode, {}\n", device.name, english(device.no_decode)));
        }
        if (device.disturbed) {
            console.print(
                fmt::format("{}: other load disturbed the measurement; the rates are lower bounds, repeat it "
                            "on an idle machine\n",
                            device.name));
        }
        if (device.contradicted) {
            console.print(
                fmt::format("{}: the products and copies do not explain the time of its decode: other load "
                            "disturbed one of them; repeat it on an idle machine\n",
                            device.name));
        }
    }
}

int run_calibrate(Console& console, const CalibrateCommandOptions& options) {
    const JobContext job = console.job();
    if (!options.output.empty()) require_outputs({options.output});
    std::optional<Session> session;
    if (!options.model.empty()) {
        session = open_session(options.model, job);
        session->kinds = console.kinds();
        if (const auto reason = why_not_runnable(*session))
            throw Error(ErrorKind::unsupported, *reason, options.model, msg::kOpenCompleteModel);
    }
    const Calibration calibration =
        calibrate(machine_to_measure(options, console.kinds(), job), console.kinds(),
                  session ? &*session : nullptr, options.calibrate, job);
    job.report(1, {});
    if (!options.output.empty())
        write_file_atomically(options.output, write_known_machine(calibration.known));
    if (options.json) {
        console.write(write_calibration_json(calibration));
    } else {
        print_calibration(console, calibration);
    }
    return kOk;
}

}  // namespace

void add_calibrate(CLI::App& program, const CommandContext& context) {
    auto options = std::make_shared<CalibrateCommandOptions>();
    CLI::App& command = *program.add_subcommand(
        "calibrate", "Measure how fast devices compute and copy, for the estimates of plan and suggest");
    command
        .add_option("-m,--model,model", options->model,
                    "Model with weights: its element types are measured, and a decode on each device")
        ->type_name("FILE");
    command
        .add_option("--backends", options->backends,
                    "Devices of this computer by name, e.g. " + example_devices(*context.kinds) +
                        "; default: those that llama.cpp uses by default")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("NAMES");
    command.add_option("--machine", options->machine, "Machine file whose devices are measured")
        ->excludes("--backends")
        ->type_name("FILE");
    add_kind_switches(command, *context.kinds, options->calibrate.kind_options);
    add_threads_option(command, options->calibrate.threads, "Threads of the CPU; 0 = all cores");
    command.add_option("--tokens,-n", options->calibrate.tokens, "Tokens that each device generates")
        ->check(CLI::Range(2, 1024))
        ->capture_default_str()
        ->type_name("N");
    command
        .add_option("--output,-o", options->output,
                    "Machine file to write: the machine with its rates, for plan and suggest")
        ->type_name("FILE");
    command.add_flag("--json", options->json, "Print one JSON object");
    command.footer(
        "Examples:\n"
        "  splitscope calibrate -o this.machine.json\n"
        "  splitscope calibrate model.gguf --backends " +
        example_devices(*context.kinds) +
        " -o this.machine.json\n"
        "  splitscope plan model.gguf --machine this.machine.json");
    command.callback([options, set_action = context.set_action] {
        set_action([options](Console& console) { return run_calibrate(console, *options); });
    });
}

}  // namespace splitscope::cli
