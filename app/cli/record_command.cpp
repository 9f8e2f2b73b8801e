// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iterator>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "app/cli/commands.hpp"
#include "app/cli/exit_code.hpp"
#include "app/cli/interrupt.hpp"
#include "app/cli/messages.hpp"
#include "engine/attach/child_process.hpp"
#include "engine/attach/preloaded_library.hpp"
#include "engine/attach/private_folder.hpp"
#include "engine/formats/capture_json.hpp"
#include "engine/importers/recording.hpp"
#include "engine/messages/render.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "engine/support/folder_list.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/messages.hpp"
#include "engine/support/system_error.hpp"

namespace splitscope::cli {
namespace {

namespace fs = std::filesystem;

struct RecordOptions {
    std::string output;
    std::string from;
    std::uint64_t limit_mib = 256;
    std::vector<std::string> program;
};

/// Runs the program and returns its exit code, or 128 + signal. Recordings are kept if it is interrupted.
int run_program(const std::vector<std::string>& arguments, std::vector<std::string> environment) {
    ChildProcess::Start start;
    start.arguments = arguments;
    start.environment = std::move(environment);
    ChildProcess child(start);
    {
        const SignalsForChild signals(child.process());
        child.wait();
    }
    const ProgramEnd end = child.end().value_or(ProgramEnd{});
    constexpr int kSignalBase = 128;
    return end.signal != 0 ? kSignalBase + end.signal : end.exit_code;
}

/// The program's path, as found on launch.
fs::path program_file(const std::string& name) {
    if (name.find('/') != std::string::npos) return name;
    for (const fs::path& folder : folder_list("PATH", "/bin:/usr/bin")) {
        fs::path file = (folder.empty() ? "." : folder) / name;
        if (::access(file.c_str(), X_OK) == 0) return file;
    }
    return name;
}

/// Regular files by name. The folder's contents are untrusted.
std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed)) {
        std::error_code unknown;
        if (entry->is_regular_file(unknown)) files.push_back(entry->path());
    }
    if (failed) {
        throw Error(ErrorKind::io, msg::kRecordingUnreadable(system_error(failed.value())), folder,
                    msg::kRecordLeaveFolder);
    }
    std::ranges::sort(files);
    return files;
}

/// Merges the recordings of all processes that have graphs.
Capture collect(const fs::path& folder, const JobContext& job) {
    Capture capture;
    std::exception_ptr refusal;
    for (const fs::path& file : files_in(folder)) {
        try {
            Capture part =
                parse_recording(read_text_file(file, kMaxRecordingBytes), file.filename().string(), job);
            if (capture.graphs.empty()) std::swap(capture, part);
            std::ranges::move(part.graphs, std::back_inserter(capture.graphs));
            std::ranges::move(part.remarks, std::back_inserter(capture.remarks));
        } catch (const Error& error) {
            // Other processes of the program may have been recorded.
            if (!refusal) refusal = std::current_exception();
            capture.remarks.push_back(error.message());
        }
    }
    if (capture.graphs.empty() && refusal) std::rethrow_exception(refusal);
    return capture;
}

void require_graphs(Console& console, const Capture& capture, const std::string& name) {
    if (!capture.graphs.empty()) return;
    for (const Message& remark : capture.remarks) console.note(english(remark));
    throw Error(ErrorKind::unsupported, msg::kNothingRecorded, name, msg::kNoSharedLibrary);
}

/// Keeps the recording if writing fails, for example on a full disk.
void write_or_keep(const Capture& capture, const fs::path& output, PrivateFolder& folder) {
    const auto keep = [&folder](const Error& error) {
        folder.keep();
        throw Error(error.kind(), error.problem(), error.place(), msg::kRecordingKept(folder.path()));
    };
    try {
        write_file_atomically(output, write_capture_json(capture));
    } catch (const Error& error) {
        keep(error);
    } catch (const std::bad_alloc&) {
        keep(Error(ErrorKind::limit, msg::kOutOfMemory, output));
    }
}

void print_result(Console& console, const Capture& capture, const fs::path& output) {
    for (const Message& remark : capture.remarks) console.note(english(remark));
    console.print(english(msg::kDistinctGraphsWritten(capture.graphs.size(), capture.program, capture.library,
                                                      output)) +
                  "\n");
}

fs::path output_for(const RecordOptions& options, const std::string& name) {
    return options.output.empty() ? fs::path(name + ".capture.json") : fs::path(options.output);
}

/// Reads a recording kept by write_or_keep().
int record_from_folder(Console& console, const RecordOptions& options) {
    const std::string name = (fs::path(options.from) / "").parent_path().filename().string();
    const fs::path output = output_for(options, name);
    for (const fs::path& file : files_in(options.from)) require_other_file(output, file);
    Capture capture = collect(options.from, console.job());
    require_graphs(console, capture, name);
    capture.program = name;
    write_file_atomically(output, write_capture_json(capture));
    print_result(console, capture, output);
    return kOk;
}

int record_program(Console& console, const RecordOptions& options) {
    const std::string name = fs::path(options.program[0]).filename().string();
    const fs::path output = output_for(options, name);
    require_other_file(output, program_file(options.program[0]));
    for (const std::string& argument : options.program) {
        std::error_code unknown;
        if (fs::is_regular_file(argument, unknown)) require_other_file(output, argument);
    }
    require_writable(output);
    const PreloadedLibrary library;
    PrivateFolder folder("record");
    constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
    const int code = run_program(
        options.program,
        library.environment("SPLITSCOPE_RECORD_",
                            {{"SPLITSCOPE_RECORD_FOLDER", folder.path().string()},
                             {"SPLITSCOPE_RECORD_LIMIT", std::to_string(options.limit_mib * kMiB)}}));
    if (code != 0) console.error(fmt::format("{} ended with exit code {}", name, code));
    Capture capture = collect(folder.path(), JobContext());
    require_graphs(console, capture, name);
    capture.program = name;
    write_or_keep(capture, output, folder);
    print_result(console, capture, output);
    return code == 0 ? kOk : kDifferent;
}

int run_record(Console& console, const RecordOptions& options) {
    if (!options.from.empty()) return record_from_folder(console, options);
    if (options.program.empty()) {
        throw Error(ErrorKind::usage, msg::kNoProgram, "record", msg::kPutBehindDashes);
    }
    return record_program(console, options);
}

}  // namespace

void add_record(CLI::App& program, const CommandContext& context) {
    auto options = std::make_shared<RecordOptions>();
    CLI::App& command = *program.add_subcommand(
        "record", "Record the schedules of an unmodified program that loads ggml as shared libraries");
    command.add_option("--output,-o", options->output, "Output file; default: PROGRAM.capture.json")
        ->type_name("FILE");
    command.add_option("--limit", options->limit_mib, "Maximum size of the recording per process, in MiB")
        ->check(CLI::Range(1, 4096))
        ->capture_default_str()
        ->type_name("MIB");
    auto* program_option =
        command.add_option("program", options->program, "The program and its arguments, after '--'")
            ->type_name("PROGRAM ARGS");
    command
        .add_option("--from", options->from,
                    "Folder of a recording that could not be written, instead of a program")
        ->check(CLI::ExistingDirectory)
        ->excludes(program_option)
        ->type_name("FOLDER");
    command.footer(
        "The program runs unchanged, with the same results. Only graphs, machines and decisions are read: no "
        "weights, no prompts, no results.\n\nExamples:\n"
        "  splitscope record -- llama-cli -m model.gguf -p Hello -n 8\n"
        "  splitscope record -o mine.capture.json -- python3 chat.py\n"
        "  splitscope import mine.capture.json");
    command.callback([options, set_action = context.set_action] {
        set_action([options](Console& console) { return run_record(console, *options); });
    });
}

}  // namespace splitscope::cli
