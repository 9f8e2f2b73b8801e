// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command_line.hpp"

#include <csignal>
#include <exception>
#include <new>
#include <sstream>
#include <stop_token>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/cli/commands.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/given_words.hpp"
#include "app/cli/help_formatter.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/parse_problem.hpp"
#include "app/cli/suggestion.hpp"
#include "engine/messages/render.hpp"
#include "engine/reports/render.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/session/open_session.hpp"
#include "engine/session/resources.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/stop_scope.hpp"

namespace splitscope::cli {
namespace {

/// Errors of files and options are bad input; errors while computing are a failed run.
int exit_code_of(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::bad_file:
        case ErrorKind::io:
        case ErrorKind::usage:
        case ErrorKind::limit:
        case ErrorKind::memory_bound:
        case ErrorKind::unsupported:
        case ErrorKind::unknown:
            return kBadInput;
        case ErrorKind::cancelled:
            return kInterrupted;
        default:
            return kDifferent;
    }
}

/// Unexpected exceptions, of a library or a backend.
int report_unforeseen(Console& console, const char* what) {
    const Error error(ErrorKind::internal, Message::verbatim(what), msg::kUnexpectedFailure,
                      msg::kReportWithCommand);
    console.error(error.what());
    return exit_code_of(error.kind());
}

/// Converts exceptions and output errors to one line and an exit code.
int guard(Console& console, const Action& action) {
    // A closed pipe is a write error, not a fatal signal: partial results are still written to files.
    std::signal(SIGPIPE, SIG_IGN);
    try {
        const int code = action(console);
        console.flush();
        return code;
    } catch (const Cancelled&) {
        console.error("interrupted");
        return kInterrupted;
    } catch (const ReaderGone&) {
        return kReaderGone;
    } catch (const Error& error) {
        console.error(error.what());
        return exit_code_of(error.kind());
    } catch (const std::bad_alloc&) {
        console.error("not enough memory — use a smaller file or context");
        return kBadInput;
    } catch (const std::exception& error) {
        return report_unforeseen(console, error.what());
    } catch (...) {
        return report_unforeseen(console, "it gave no reason");
    }
}

/// Runs a command with interrupt handling.
int run_command(const Action& action, const Request& request) {
    const std::stop_source interrupted;
    Console console(interrupted.get_token());
    console.set_quiet(request.quiet);
    console.set_memory_bound(request.memory_bound);
    console.set_kinds(request.kinds);
    for (const auto& kind : request.kinds->kinds())
        kind->set_question([&console](const Message& question) { return console.ask(english(question)); });
    const int exit_code = guard(console, [&](Console& same) {
        const InterruptWatcher watcher(interrupted);
        const StopScope scope(interrupted.get_token());
        const int code = action(same);
        same.flush();
        return code;
    });
    for (const auto& kind : request.kinds->kinds()) kind->set_question({});
    return exit_code;
}

/// Runs a command that only prints.
int answer(const Action& action) {
    Console console{std::stop_token()};
    return guard(console, action);
}

/// The parsed command, for hints.
const CLI::App* deepest_command(const CLI::App& program) {
    for (const CLI::App* command : program.get_subcommands()) return command;
    return &program;
}

Error usage_error(const CLI::App& program, const CLI::ParseError& error, int argc, const char* const* argv) {
    const CLI::App* command = deepest_command(program);
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    std::string nearest = nearest_option(*command, arguments);
    // A misspelt command is taken for a file name.
    std::error_code ignored;
    if (nearest.empty() && command == &program && !arguments.empty() &&
        !std::filesystem::exists(arguments.front(), ignored))
        nearest = nearest_command(program, arguments.front());
    const std::string help = command == &program ? std::string("splitscope --help")
                                                 : fmt::format("splitscope {} --help", command->get_name());
    return {ErrorKind::usage,
            Message::verbatim(parse_problem(error.what())),
            {},
            nearest.empty() ? msg::kSeeHelp(help) : msg::kDidYouMeanSee(nearest, help)};
}

/// The first argument is neither a command nor a file.
Error missing_file(const CLI::App& program, const std::string& argument) {
    const std::string nearest = nearest_command(program, argument);
    const char* const help = "splitscope --help";
    return {ErrorKind::usage, msg::kNoSuchFileOrCommand, argument,
            nearest.empty() ? msg::kSeeHelp(help) : msg::kDidYouMeanOrSee(nearest, help)};
}

/// `wanted`, with a number appended if it exists, because an existing file must not be overwritten without
/// being asked for.
std::filesystem::path free_name(const std::filesystem::path& wanted) {
    std::filesystem::path name = wanted;
    std::error_code unknown;
    for (int i = 2; std::filesystem::exists(std::filesystem::symlink_status(name, unknown)); ++i)
        name = fmt::format("{}-{}{}", wanted.stem().string(), i, wanted.extension().string());
    return name;
}

/// "help" and "help COMMAND" as the options that they stand for.
std::vector<std::string> without_help_command(const CLI::App& program, std::vector<std::string> words) {
    std::error_code ignored;
    if (words.empty() || words.size() > 2 || words[0] != "help" || std::filesystem::exists("help", ignored))
        return words;
    if (words.size() == 1) return {"--help"};
    if (words[1].starts_with('-')) return words;
    if (program.get_subcommands([&](const CLI::App* command) { return command->get_name() == words[1]; })
            .empty())
        throw missing_file(program, words[1]);
    return {words[1], "--help"};
}

}  // namespace

Request handle_command_line(int argc, const char* const* argv, const BackendKinds& kinds,
                            const PdfWriter& make_pdf) {
    CLI::App program(
        "Splitscope: see how a tensor-graph scheduler places, splits and runs a model.\n"
        "Without a command it opens the desktop program, on the built-in sample if no file is given.",
        "splitscope");
    program.formatter(std::make_shared<HelpFormatter>());
    program.set_version_flag("--version", "splitscope " SPLITSCOPE_VERSION);
    program.footer(
        "Exit codes: 0 success; 1 a difference was found, a model does not fit or cannot run, or a run "
        "failed; "
        "2 bad input or usage; 130 interrupted; 141 broken pipe.\n\n"
        "'splitscope COMMAND --help', or 'splitscope help COMMAND', lists the options of a command.\n\n"
        "Examples:\n"
        "  splitscope model.gguf\n"
        "  splitscope report model.gguf -o report.html\n"
        "  splitscope run model.gguf --prompt \"My father\" --tokens 32 --temperature 0");
    Request request;
    request.kinds = kinds;
    std::string file;
    const auto* named =
        program.add_option("file", file, "File to open in the desktop program")->type_name("FILE");
    program.add_flag("--quiet,-q", request.quiet, "Print no remarks or progress on standard error");
    program
        .add_option_function<std::uint64_t>(
            "--memory-limit",
            [&request](std::uint64_t mib) { request.memory_bound = MemoryBound(mib << 20); },
            "Memory for reading a file: MIB (default 64) or four times its size, whichever is more")
        ->type_name("MIB")
        ->check(CLI::Range(std::uint64_t{1}, kMaxMemoryLimitMib));
    program
        .add_flag_callback(
            "--allow-memory", [&request] { request.memory_bound = MemoryBound::lifted; },
            "Do not limit the memory for the description of a file")
        ->excludes("--memory-limit");
    program.fallthrough();
    program.require_subcommand(0, 1);

    Action action;
    add_commands(program, {[&action](Action chosen) { action = std::move(chosen); }, kinds, make_pdf});

    try {
        const std::vector<std::string> words =
            without_help_command(program, given_words(program, argc, argv));
        std::vector<const char*> spelled = {"splitscope"};
        for (const std::string& word : words) spelled.push_back(word.c_str());
        program.parse(static_cast<int>(spelled.size()), spelled.data());
        // Words that a command does not take would end here.
        if (action && named->count() > 0) throw CLI::ExtrasError(std::vector<std::string>{file});
    } catch (const Error& error) {
        request.exit_code = answer([&](Console&) -> int { throw Error(error); });
        return request;
    } catch (const CLI::ParseError& error) {
        request.exit_code = answer([&](Console& console) {
            const bool asked_for_text = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
            if (!asked_for_text) throw usage_error(program, error, argc, argv);
            std::ostringstream text;
            program.exit(error, text);
            console.write(text.str());
            return kOk;
        });
        return request;
    }
    if (action) {
        request.exit_code = run_command(action, request);
    } else if (named->count() > 0) {
        std::error_code ignored;
        // A path is opened in the window, which shows errors; a bare word may be a misspelt command.
        const bool path = file.empty() || file.find('/') != std::string::npos ||
                          std::filesystem::path(file).has_extension();
        if (!path && !std::filesystem::exists(file, ignored))
            request.exit_code = answer([&](Console&) -> int { throw missing_file(program, file); });
        request.file = file;
    }
    return request;
}

int write_report_without_display(const Request& request) {
    const Action action = [&file = request.file](Console& console) {
        const JobContext job = console.job();
        const std::filesystem::path path = file ? *file : sample_model_path();
        const std::filesystem::path wanted = path.stem().string() + "-report.html";
        const std::filesystem::path target = free_name(wanted);
        require_writable(target);
        Session session = open_session(path, job);
        session.kinds = console.kinds();
        if (file && session.file->path == path) use_defaults(session, Program::llama_server);
        const auto analysis = analyse(session, job);
        ReportOptions options = options_for(ReportFormat::html);
        const std::optional<ReportPlans> plans = plan_for_report(analysis->session, false, job);
        if (plans) options.plans = &*plans;
        const Report report = make_report(*analysis, nullptr, options);
        write_file_atomically(target, render_html(report));
        console.print(report.title + "\n" + report.headline + "\n");
        const std::string why =
            target == wanted ? std::string() : fmt::format(", because {} already exists", wanted.string());
        console.print(fmt::format("There is no display: wrote the report to {}{}\n", target.string(), why));
        return kOk;
    };
    return run_command(action, request);
}

}  // namespace splitscope::cli
