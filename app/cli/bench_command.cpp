// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.hpp"
#include "app/cli/device_examples.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/session_options.hpp"
#include "app/cli/threads_option.hpp"
#include "engine/formats/json_writer.hpp"
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
    bool json = false;
};

/// Measurements of one kind of work, one per repetition.
struct Measured {
    std::string name;
    std::uint32_t tokens = 0;
    std::vector<double> seconds;

    double rate(std::size_t i) const { return seconds[i] > 0 ? tokens / seconds[i] : 0; }
    double mean() const {
        double sum = 0;
        for (std::size_t i = 0; i < seconds.size(); ++i) sum += rate(i);
        return sum / static_cast<double>(seconds.size());
    }
    /// Sample standard deviation; 0 for a single value.
    double deviation() const {
        if (seconds.size() < 2) return 0;
        double sum = 0;
        for (std::size_t i = 0; i < seconds.size(); ++i) sum += (rate(i) - mean()) * (rate(i) - mean());
        return std::sqrt(sum / static_cast<double>(seconds.size() - 1));
    }
};

/// Fixed tokens for every model and repetition, because only their number matters.
std::vector<std::int32_t> some_tokens(std::uint32_t count, std::int64_t vocabulary) {
    std::vector<std::int32_t> tokens(count);
    for (std::uint32_t i = 0; i < count; ++i)
        tokens[i] = static_cast<std::int32_t>((std::int64_t{1} + std::int64_t{i} * 7919) %
                                              std::max<std::int64_t>(1, vocabulary));
    return tokens;
}

void write_measured(JsonWriter& json, const Measured& measured) {
    json.object([&] {
        json.member("name", measured.name);
        json.member("tokens", measured.tokens);
        json.member("seconds", measured.seconds);
        json.member("tokens_per_second", measured.mean());
        json.member("deviation", measured.deviation());
    });
}

void print_json(Console& console, const Session& session, const std::vector<Measured>& all,
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
            for (const Measured& measured : all) write_measured(json, measured);
        });
    });
    console.write(std::move(json).take());
}

void print_table(Console& console, const Session& session, const std::vector<Measured>& all) {
    Table table;
    table.columns = {{"test", "Test", ColumnKind::text},
                     {"tokens", "Tokens", ColumnKind::count},
                     {"rate", "Tokens/s", ColumnKind::text},
                     {"best", "Best", ColumnKind::text}};
    for (const Measured& measured : all) {
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
    Session session = options.session.make_session(job);
    if (const auto reason = why_not_runnable(session)) {
        throw Error(ErrorKind::usage, msg::kCannotBeRun(*reason), session.file->path.filename(),
                    msg::kGiveModelWithWeights);
    }
    RunOptions run;
    run.prompt_tokens = some_tokens(options.prompt, session.file->model->shape().vocabulary);
    run.tokens = std::max<std::uint32_t>(1, options.tokens);
    run.sampling.temperature = 0;
    run.threads = options.threads;
    run.stop_at_end = false;
    run.kind_options = options.session.kind_options;
    session.model_options.context = std::max(session.model_options.context, options.prompt + run.tokens);

    Measured prompt{"reading the prompt", options.prompt, {}};
    Measured generating{"generating", options.tokens, {}};
    // The first run warms up caches and pages in the weights; it is not counted.
    for (std::uint32_t i = 0; i <= options.repeat; ++i) {
        job.report(static_cast<double>(i) / (options.repeat + 1),
                   i == 0 ? Message(msg::kWarmingUp) : msg::kRunOf(i, options.repeat));
        const RunResult result = run_model(session, run, {}, JobContext(job.stop_token()));
        if (result.cancelled) throw Cancelled();
        if (i == 0) continue;
        prompt.seconds.push_back(std::chrono::duration<double>(result.prefill_time).count());
        generating.seconds.push_back(std::chrono::duration<double>(result.decode_time).count());
    }
    job.report(1, {});
    std::vector<Measured> all = {prompt};
    if (options.tokens > 0) all.push_back(generating);
    if (options.json)
        print_json(console, session, all, options.threads);
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
    command.add_option("-p,--prompt-length,--n-prompt", options->prompt, "Tokens of the prompt")
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
    add_threads_option(command, options->threads, "0 = all cores");
    command.add_flag("--json", options->json, "One JSON object with every figure");
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
