// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "app/cli/commands.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/messages.hpp"
#include "engine/attach/capture_program.hpp"
#include "engine/formats/capture_json.hpp"
#include "engine/messages/render.hpp"
#include "engine/session/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"

namespace splitscope::cli {
namespace {

struct CaptureOptions {
    std::string model;
    std::string output;
    std::string program = "llama-fit-params";
};

int run_capture(Console& console, const CaptureOptions& options, const std::vector<std::string>& flags) {
    const std::filesystem::path output =
        options.output.empty() ? std::filesystem::path(options.model).stem().string() + ".capture.json"
                               : options.output;
    require_other_file(output, options.model);
    require_writable(output);
    AttachOptions attach;
    attach.program = {options.program, "-m", options.model};
    attach.program.insert(attach.program.end(), flags.begin(), flags.end());
    attach.output = ProgramOutput::on_error;
    const Capture capture = [&] {
        try {
            return capture_program(attach, console.job());
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::io || options.program != CaptureOptions().program) throw;
            throw Error(ErrorKind::io, error.problem(), error.place(), msg::kNameLlamaProgram);
        }
    }();
    write_file_atomically(output, write_capture_json(capture));
    for (const CapturedGraph& graph : capture.graphs) {
        // Of a graph that is only split, the splits are not visible.
        console.print(fmt::format("{}: {}\n", graph.graph.name,
                                  graph.recorded.splits.empty()
                                      ? "splits not known"
                                      : english(msg::kSplitCount(graph.recorded.splits.size()))));
    }
    console.print(
        english(msg::kGraphsWritten(capture.graphs.size(), capture.program, capture.library, output)) + "\n");
    return kOk;
}

}  // namespace

void add_capture(CLI::App& program, const CommandContext& context) {
    auto options = std::make_shared<CaptureOptions>();
    CLI::App& command = *program.add_subcommand("capture",
                                                "Record the graphs of any model with your own llama.cpp, "
                                                "including architectures without a graph builder");
    command.add_option("model", options->model, "A GGUF file")
        ->required()
        ->check(CLI::ExistingFile)
        ->type_name("MODEL");
    command.add_option("--output", options->output, "Output file, also as -o; default: MODEL.capture.json")
        ->type_name("FILE");
    command
        .add_option("--program", options->program,
                    "Program to run as PROGRAM -m MODEL FLAGS until it has reserved its prefill and decode "
                    "graphs; it must load ggml as shared libraries")
        ->capture_default_str()
        ->type_name("PROGRAM");
    // Unknown options are passed to the program.
    command.fallthrough(false);
    command.allow_extras();
    command.footer(
        "All other flags are passed to the program. llama-fit-params, from December 2025 on, allocates "
        "nothing.\n\n"
        "Examples:\n"
        "  splitscope capture model.gguf -ngl 20 -c 8192\n"
        "  splitscope capture model.gguf --program ~/llama.cpp/build/bin/llama-cli\n"
        "  splitscope report model.capture.json -o report.html");
    command.callback([options, set_action = context.set_action, &command] {
        set_action([options, flags = command.remaining()](Console& console) {
            return run_capture(console, *options, flags);
        });
    });
}

}  // namespace splitscope::cli
