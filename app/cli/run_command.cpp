// SPDX-License-Identifier: GPL-3.0-or-later
#include <bit>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.hpp"
#include "app/cli/device_examples.hpp"
#include "app/cli/dump_tensors.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/fusion_option.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/number_range.hpp"
#include "app/cli/outputs.hpp"
#include "app/cli/prompt_tokens_option.hpp"
#include "app/cli/runnable_session.hpp"
#include "app/cli/session_options.hpp"
#include "app/cli/threads_option.hpp"
#include "engine/execution/execution_profile.hpp"
#include "engine/formats/documents/run_json.hpp"
#include "engine/messages/render.hpp"
#include "engine/reports/table.hpp"
#include "engine/reports/text_table.hpp"
#include "engine/session/live_run.hpp"
#include "engine/session/messages.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "engine/support/limits.hpp"

namespace splitscope::cli {
namespace {

struct RunCommandOptions {
    SessionOptions session;
    RunOptions run;
    std::string logits;
    std::vector<std::string> tensors;  ///< NODE=FILE.npy
    bool stop_at_end = false;          ///< also when a number of tokens was given
    bool profile = false;
    bool json = false;
};

/// Reads standard input, without the trailing line end that `echo` adds.
std::string piped_prompt(const JobContext& job) {
    std::string text = read_text_file("-", kMaxPromptBytes, job.stop_token());
    if (text.ends_with('\n')) text.pop_back();
    return text;
}

/// Rows of little-endian float32, without a header.
std::string logits_bytes(const std::vector<std::vector<float>>& rows) {
    std::string out;
    for (const auto& row : rows) {
        for (const float value : row) {
            const auto bits = std::bit_cast<std::uint32_t>(value);
            for (int shift = 0; shift < 32; shift += 8) out += static_cast<char>((bits >> shift) & 0xFF);
        }
    }
    return out;
}

std::string name_of_tensor(const Schedule& schedule, TensorId id) {
    return id.valid() ? schedule.tensor(id).name : std::string();
}

/// "4.31", or an empty cell.
Cell billions(std::optional<double> value) {
    if (!value) return {};
    const double number = *value / 1e9;
    return number < 999.5 ? fmt::format("{:.3g}", number) : fmt::format("{:.0f}", number);
}

/// Commands given to a device, and the nodes that runs without a profile fuse into one kernel.
void print_devices(Console& console, const Schedule& schedule, const Execution& execution) {
    Table devices;
    devices.columns = {
        {"backend", "Device", ColumnKind::backend},        {"submissions", "Submissions", ColumnKind::count},
        {"dispatches", "Dispatches", ColumnKind::count},   {"barriers", "Barriers", ColumnKind::count},
        {"copies", "Copy commands", ColumnKind::count},    {"copied", "Bytes copied", ColumnKind::bytes},
        {"touched", "Read and written", ColumnKind::bytes}};
    const auto number = [](std::uint64_t value) { return static_cast<std::int64_t>(value); };
    for (std::size_t b = 0; b < execution.work.size(); ++b) {
        if (!execution.work[b]) continue;
        const DeviceWork& work = *execution.work[b];
        devices.add({schedule.machine->backends[b].name, number(work.submissions), number(work.dispatches),
                     number(work.barriers), number(work.copies), number(work.copied_bytes),
                     number(work.touched_bytes)});
    }
    if (devices.rows.empty()) return;
    console.print(fmt::format("\nCommands of this timed run, which fuses no nodes\n{}", text_table(devices)));
    Table together;
    together.columns = {{"steps", "Fused when not profiled", ColumnKind::text},
                        {"backend", "Device", ColumnKind::backend},
                        {"kernels", "Count", ColumnKind::count},
                        {"touched", "Read and written", ColumnKind::bytes},
                        {"flops", "FLOPs", ColumnKind::number},
                        {"first", "First", ColumnKind::text}};
    for (const FusedLine& line : fused_of(schedule, execution)) {
        together.add({line.steps, schedule.machine->backends[line.backend.index()].name, number(line.kernels),
                      number(line.touched_bytes), line.flops,
                      fmt::format("{}", fmt::join(line.first, ", "))});
    }
    if (!together.rows.empty()) console.print(fmt::format("\n{}", text_table(together)));
}

void print_profile(Console& console, std::string_view title, const Schedule& schedule,
                   const Execution& execution) {
    const std::vector<ProfileLine> lines = profile_of(schedule, execution);
    std::chrono::nanoseconds sum{};
    for (const ProfileLine& line : lines) sum += line.time;
    Table table;
    table.columns = {{"step", "Step", ColumnKind::name},
                     {"backend", "Backend", ColumnKind::backend},
                     {"count", "Count", ColumnKind::count},
                     {"time", "Time", ColumnKind::nanoseconds},
                     {"share", "Share", ColumnKind::share},
                     {"bytes", "Bytes", ColumnKind::bytes},
                     {"flops", "FLOPs", ColumnKind::number},
                     {"byte_rate", "GB/s", ColumnKind::number},
                     {"flop_rate", "GFLOP/s", ColumnKind::number},
                     {"slowest", "Slowest", ColumnKind::name},
                     {"slowest_time", "Slowest time", ColumnKind::nanoseconds}};
    for (const ProfileLine& line : lines) {
        table.add({line.step == "copies" ? "copies between backends" : line.step,
                   schedule.machine->backends[line.backend.index()].name,
                   static_cast<std::int64_t>(line.count), static_cast<std::int64_t>(line.time.count()),
                   sum.count() > 0 ? static_cast<double>(line.time.count()) / static_cast<double>(sum.count())
                                   : 0.0,
                   line.work.bytes && *line.work.bytes > 0
                       ? Cell(static_cast<std::int64_t>(std::llround(*line.work.bytes)))
                       : Cell(),
                   line.work.flops && *line.work.flops > 0 ? Cell(*line.work.flops) : Cell(),
                   billions(rate_of(line.work.bytes, line.time)),
                   billions(rate_of(line.work.flops, line.time)), name_of_tensor(schedule, line.slowest),
                   static_cast<std::int64_t>(line.slowest_time.count())});
    }
    console.print(fmt::format("\n{}\n{}", title, text_table(table)));
    print_devices(console, schedule, execution);
}

/// `computed`: the tokens that took `time`.
std::string speed(std::size_t tokens, std::size_t computed, std::chrono::nanoseconds time) {
    if (tokens == 0) return "nothing";
    const std::string count = english(msg::kTokenCount(tokens));
    if (computed == 0 || time.count() <= 0) return count;
    return fmt::format("{}{} in {} ({:.1f} tokens/s)", count,
                       computed == tokens ? std::string() : fmt::format(", {} of them", computed),
                       format_duration(time.count()),
                       static_cast<double>(computed) * 1e9 / static_cast<double>(time.count()));
}

int run_run(Console& console, const RunCommandOptions& options) {
    const JobContext job = console.job();
    TensorDump dump(options.tensors);
    const Session session = make_runnable_session(options.session, job);
    std::vector<std::filesystem::path> outputs = dump.files();
    if (!options.logits.empty()) outputs.emplace_back(options.logits);
    for (const std::filesystem::path& output : outputs) options.session.require_no_input(output, session);
    require_outputs(outputs);
    note_unused_sequences(console, options.session.switches);
    RunOptions run = options.run;
    if (run.prompt == "-") run.prompt = piped_prompt(job);
    RunObserver observer;
    observer.want_logits = !options.logits.empty();
    dump.watch(observer);
    // A template's marks are not part of the answer.
    bool echoed = options.json || run.chat || !options.run.prompt_tokens.empty();
    // Only after computing the prompt: a failing run prints nothing.
    const auto echo_prompt = [&] {
        if (!std::exchange(echoed, true)) console.stream(run.prompt);
    };
    bool streamed = false;
    observer.on_token = [&](const RunStep& step) {
        // Errors in node requests are reported after the prompt, not at the end of the run.
        dump.require_all_seen();
        echo_prompt();
        if (options.json) return;
        console.stream(step.piece);
        streamed = true;
    };
    observer.on_message = [&console](const BackendMessage& message) {
        console.note(fmt::format("{}: {}", english(message.source), message.text));
    };
    run.kind_options = options.session.kind_options;
    run.time_nodes = options.profile;
    const RunResult result = [&] {
        try {
            return run_model(session, run, observer, job);
        } catch (...) {
            // The error begins on a line of its own.
            if (streamed) console.stream("\n");
            throw;
        }
    }();
    echo_prompt();
    if (options.json)
        console.write(write_run_json(result, options.profile));
    else
        console.stream("\n");
    if (options.profile && !options.json) {
        if (result.prefill && result.prefill_execution) {
            const std::size_t all = result.prompt_tokens.size();
            print_profile(console,
                          result.prefill_tokens == all
                              ? "The prompt"
                              : fmt::format("The last {} of {} prompt tokens", result.prefill_tokens, all),
                          *result.prefill->schedule, *result.prefill_execution);
        }
        if (result.decode && result.decode_execution)
            print_profile(console, "The last token", *result.decode->schedule, *result.decode_execution);
    }
    if (!options.logits.empty()) write_file_atomically(options.logits, logits_bytes(result.logits));
    for (const std::string& file : dump.write()) console.note("Wrote " + file);
    for (const Message& note : result.notes) console.note(english(note));
    if (!result.embeddings.empty())
        console.note(fmt::format("an embedding model: {} vectors of {} values, no text",
                                 result.embeddings.size(), result.embeddings.front().size()));
    if (!result.failed && !result.ended_early.empty()) console.note(english(result.ended_early));
    const std::size_t prompt = result.prompt_tokens.size();
    console.note(fmt::format("prompt: {}; generated: {}", speed(prompt, prompt, result.prefill_time),
                             speed(result.tokens.size(), result.decoded_tokens, result.decode_time)));
    if (result.failed) {
        console.error(english(result.ended_early));
        return kDifferent;
    }
    return result.cancelled ? kInterrupted : kOk;
}

}  // namespace

void add_run(CLI::App& program, const CommandContext& context) {
    auto options = std::make_shared<RunCommandOptions>();
    CLI::App& command = *program.add_subcommand("run", "Generate text by executing the model's schedule");
    RunOptions& run = options->run;
    options->session.add_to(command, context.kinds);
    auto* prompt =
        command.add_option("--prompt,-p", run.prompt, "Text to continue; '-' reads it from standard input")
            ->type_name("TEXT");
    add_prompt_tokens(command, run.prompt_tokens, "Token ids to continue, instead of text: 1,2,3")
        .excludes(prompt);
    auto* chat =
        command
            .add_flag("--chat", run.chat, "Format the prompt as a user message with the file's chat template")
            ->needs(prompt);
    command
        .add_option("--system-prompt", run.system_prompt, "System message, placed before the user message")
        ->needs(chat)
        ->type_name("TEXT");
    auto* tokens = command
                       .add_option("-n,--tokens,--predict,--n-predict", run.tokens,
                                   "Generate exactly N tokens, even past the end of the answer; if not "
                                   "given, stop at its end or after the default number")
                       ->capture_default_str()
                       ->check(CLI::Range(0, 1 << 20))
                       ->type_name("N");
    command
        .add_option("--temperature,--temp", run.sampling.temperature,
                    "Sampling temperature; 0 = always the most likely token")
        ->capture_default_str()
        ->check(number_range(0.0, 1000.0))
        ->type_name("X");
    command.add_option("--top-k", run.sampling.top_k, "Choose among the K most likely tokens; 0 = all")
        ->capture_default_str()
        ->check(CLI::Range(0, 1 << 30))
        ->type_name("K");
    command
        .add_option("--top-p", run.sampling.top_p,
                    "Choose among the most likely tokens whose probabilities sum to P; 1 = all")
        ->capture_default_str()
        ->check(number_range(0.0, 1.0))
        ->type_name("P");
    command.add_option("--seed", run.sampling.seed, "Sampling seed; the same seed gives the same text")
        ->capture_default_str()
        ->check(whole_number())
        ->type_name("N");
    add_threads_option(command, run.threads, "Threads; 0 = all cores");
    add_fusion_option(command, run.fuse);
    command.add_flag("--stop-at-end", options->stop_at_end,
                     "Stop at the model's end-of-generation token, even before N tokens");
    command
        .add_option("--logits", options->logits,
                    "Write the logits as float32 rows: after the prompt and each token")
        ->type_name("FILE");
    command
        .add_option(
            "--dump-tensor", options->tensors,
            "Write the last values of a node as a NumPy array; may be given several times. A node is a name, "
            "or NAME@OP if several nodes have the name. Slower: each node is computed by itself")
        ->allow_extra_args(false)
        ->type_name("NODE=FILE.npy");
    command.add_flag("--profile", options->profile,
                     "Time every node, using the devices' own clocks, and list the operations");
    command.add_flag("--json", options->json,
                     "Print one JSON object with the tokens and the text, instead of the text");
    command.footer(
        "Examples:\n"
        "  splitscope run model.gguf --prompt \"My father\" --tokens 32 --temperature 0\n"
        "  splitscope run model.gguf --prompt-tokens 1,321,963 -n 16 --json\n"
        "  splitscope run model.gguf --chat --prompt \"What is a tensor?\" --temperature 0\n"
        "  splitscope run model.gguf --prompt Once -n 1 --dump-tensor l_out-0=l_out-0.npy\n"
        "  splitscope run model.gguf --prompt Once --backends " +
        example_devices(*context.kinds) + " --gpu-layers 99");
    command.callback([options, tokens, set_action = context.set_action] {
        options->run.stop_at_end = tokens->count() == 0 || options->stop_at_end;
        set_action([options](Console& console) { return run_run(console, *options); });
    });
}

}  // namespace splitscope::cli
