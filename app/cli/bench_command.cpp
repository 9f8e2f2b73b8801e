// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.hpp"
#include "app/cli/device_examples.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/fusion_option.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/runnable_session.hpp"
#include "app/cli/session_options.hpp"
#include "app/cli/threads_option.hpp"
#include "engine/formats/documents/run_json.hpp"
#include "engine/reports/text_table.hpp"
#include "engine/session/live_run.hpp"
#include "engine/support/error.hpp"

namespace splitscope::cli {
namespace {

struct BenchOptions {
    SessionOptions session;
    std::uint32_t prompt = 64;
    std::uint32_t tokens = 32;
    std::uint32_t repeat = 3;
    std::uint32_t threads = 0;
    bool fuse = true;
    bool json = false;
};

void print_table(Console& console, const Session& session, const std::vector<MeasuredWork>& all) {
    Table table;
    table.columns = {{"test", "Test", ColumnKind::text},
                     {"tokens", "Tokens", ColumnKind::count},
                     {"rate", "Tokens/s", ColumnKind::text},
                     {"best", "Best", ColumnKind::text}};
    for (const MeasuredWork& measured : all) {
        double best = 0;
        for (std::size_t i = 0; i < measured.seconds.size(); ++i) best = std::max(best, measured.rate(i));
        table.add({measured.name, static_cast<std::int64_t>(measured.tokens),
                   fmt::format("{:.1f} ± {:.1f}", measured.mean(), measured.deviation()),
                   fmt::format("{:.1f}", best)});
    }
    console.print(session.file->title() + "\n\n" + text_table(table));
}

int run_bench(Console& console, const BenchOptions& options) {
    const JobContext job = console.job();
    Session session = make_runnable_session(options.session, job);
    RunOptions run;
    run.prompt_tokens = spread_tokens(*session.file->model, static_cast<std::int32_t>(options.prompt));
    // The prompt gives the logits of the first token.
    run.tokens = options.tokens + 1;
    run.sampling.temperature = 0;
    run.threads = options.threads;
    run.stop_at_end = false;
    run.fuse = options.fuse;
    run.kind_options = options.session.kind_options;
    const std::uint32_t needed = options.prompt + options.tokens;
    if (!options.session.switches.given("--context"))
        session.model_options.context = std::max(session.model_options.context, needed);
    else if (session.model_options.context < needed)
        throw Error(ErrorKind::usage, msg::kContextTooSmall(session.model_options.context, needed),
                    "--context", msg::kRaiseOrLeaveOut);
    note_unused_sequences(console, options.session.switches);

    const bool embeds = session.file->model->gives_embeddings();
    MeasuredWork prefill{"prefill", options.prompt, {}};
    MeasuredWork decode{"decode", options.tokens, {}};
    // The first run warms up caches and pages in the weights; it is not counted.
    for (std::uint32_t i = 0; i <= options.repeat; ++i) {
        job.report(static_cast<double>(i) / (options.repeat + 1),
                   i == 0 ? Message(msg::kWarmingUp) : msg::kRunOf(i, options.repeat));
        const RunResult result = run_model(session, run, {}, JobContext(job.stop_token()));
        if (result.cancelled) throw Cancelled();
        if (!embeds && result.decoded_tokens < options.tokens) {
            throw Error(ErrorKind::state, result.ended_early, ErrorPlace(session.file->path),
                        msg::kMeasureThePrompt);
        }
        if (i == 0) continue;
        prefill.seconds.push_back(std::chrono::duration<double>(result.prefill_time).count());
        decode.seconds.push_back(std::chrono::duration<double>(result.decode_time).count());
    }
    job.report(1, {});
    std::vector<MeasuredWork> all = {prefill};
    if (options.tokens > 0 && !embeds) all.push_back(decode);
    if (options.json)
        console.write(write_bench_json(session, all, options.threads));
    else
        print_table(console, session, all);
    return kOk;
}

}  // namespace

void add_bench(CLI::App& program, const CommandContext& context) {
    auto options = std::make_shared<BenchOptions>();
    CLI::App& command = *program.add_subcommand(
        "bench", "Measure how fast a model reads a prompt and generates tokens on this computer");
    options->session.add_to(command, context.kinds);
    command.add_option("-p,--prompt-length,--n-prompt", options->prompt, "Prompt length in tokens")
        ->check(CLI::Range(1, 1 << 20))
        ->capture_default_str()
        ->type_name("N");
    command
        .add_option("-n,--tokens,--n-gen", options->tokens, "Tokens to generate; 0 = measure the prompt only")
        ->check(CLI::Range(0, 1 << 20))
        ->capture_default_str()
        ->type_name("N");
    command.add_option("--repeat,-r", options->repeat, "Measured runs, after one to warm up")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str()
        ->type_name("N");
    add_threads_option(command, options->threads, "Threads; 0 = all cores");
    add_fusion_option(command, options->fuse);
    command.add_flag("--json", options->json, "Print one JSON object with every figure");
    command.footer(
        "A simulated device is computed by the CPU, so its figures are those of the CPU.\n\nExamples:\n"
        "  splitscope bench model.gguf --gpu-layers 0\n"
        "  splitscope bench model.gguf --prompt-length 512 --tokens 128 --repeat 5 --json\n"
        "  splitscope bench model.gguf --backends " +
        example_devices(*context.kinds) + " --gpu-layers 99");
    command.callback([options, set_action = context.set_action] {
        set_action([options](Console& console) { return run_bench(console, *options); });
    });
}

}  // namespace splitscope::cli
