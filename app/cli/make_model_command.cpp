// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdint>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/number_range.hpp"
#include "engine/models/random_model.hpp"
#include "engine/support/error.hpp"

namespace splitscope::cli {
namespace {

struct MakeModelOptions {
    RandomModelOptions model;
    std::string type = "q4_0";
    std::string output;
};

int run_make_model(Console& console, MakeModelOptions options) {
    const auto type = element_type_named(options.type);
    if (!type) {
        throw Error(ErrorKind::usage, msg::kNoType(options.type), "--type", msg::kUseModelType);
    }
    options.model.type = *type;
    const std::uint64_t bytes = write_random_model(options.output, options.model, console.job());
    console.note(fmt::format("{}: {:.1f} MiB\n", options.output, static_cast<double>(bytes) / (1 << 20)));
    return kOk;
}

}  // namespace

void add_make_model(CLI::App& program, const CommandContext& context) {
    auto options = std::make_shared<MakeModelOptions>();
    CLI::App& command =
        *program.add_subcommand("make-model", "Write a llama model of a given shape with random weights");
    RandomModelOptions& model = options->model;
    const auto number = [&command](const char* name, std::uint32_t& value, const char* help) {
        return command.add_option(name, value, help)->capture_default_str()->type_name("N");
    };
    command.add_option("--output,-o", options->output, "The GGUF file to write")
        ->required()
        ->type_name("FILE");
    command.add_option("--type", options->type, "Element type of the matrices")
        ->capture_default_str()
        ->type_name("TYPE");
    const std::vector<CLI::Option*> shape = {
        number("--layers", model.layers, "Layers"),
        number("--embedding", model.embedding, "Width of the residual stream"),
        number("--heads", model.heads, "Attention heads"),
        number("--kv-heads", model.kv_heads, "KV heads"),
        number("--feed-forward", model.feed_forward, "Feed-forward width"),
        number("--vocabulary", model.vocabulary, "Vocabulary size, at least 260")};
    CLI::Option* trained = number("--context", model.context, "Training context");
    auto preset = std::make_shared<std::string>();
    CLI::Option* chosen =
        command.add_option("--preset", *preset, "Shape: 1.1b (the default) or 8b, that of Llama 3.1 8B")
            ->check(CLI::IsMember({"1.1b", "8b"}))
            ->type_name("NAME");
    for (CLI::Option* option : shape) chosen->excludes(option);
    command.add_flag(
        "--header-only", model.header_only,
        "Write metadata and tensor shapes without weights: enough for plan, suggest, lint and schedule");
    command.add_option("--seed", model.seed, "Seed of the random weights; the same seed gives the same file")
        ->capture_default_str()
        ->check(whole_number())
        ->type_name("N");
    command.footer(
        "Examples:\n"
        "  splitscope make-model --preset 1.1b --type q4_K -o random-1.1b-q4_K.gguf\n"
        "  splitscope make-model --preset 8b --type q4_K --header-only -o llama-8b.header.gguf\n"
        "  splitscope make-model --layers 2 --embedding 256 --heads 4 --kv-heads 2 --feed-forward 512 -o "
        "s.gguf");
    command.callback([options, preset, trained, set_action = context.set_action] {
        RandomModelOptions& model = options->model;
        if (*preset == "8b") {
            const RandomModelOptions given = model;
            model = kShapeOf8b;
            model.seed = given.seed;
            model.header_only = given.header_only;
            if (trained->count() > 0) model.context = given.context;
        }
        set_action([options](Console& console) { return run_make_model(console, *options); });
    });
}

}  // namespace splitscope::cli
