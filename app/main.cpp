// SPDX-License-Identifier: GPL-3.0-or-later
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <span>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app/cli/command_line.hpp"
#include "backends/all_backends.hpp"
#include "engine/support/large_blocks.hpp"
#ifdef SPLITSCOPE_HAS_DESKTOP
#include "app/desktop.hpp"
#endif

#ifdef SPLITSCOPE_HAS_DESKTOP
namespace {

bool is_set(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

/// Whether windows can be shown: a display server is available, or the user selected a platform.
bool has_display() {
    return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") || is_set("QT_QPA_PLATFORM");
}

}  // namespace
#endif

namespace {

splitscope::cli::PdfWriter pdf_writer() {
#ifdef SPLITSCOPE_HAS_DESKTOP
    return splitscope::pdf_without_display;
#else
    return {};
#endif
}

/// Restarts the program if the libraries of its backends need settings for its address space limit.
void restart_with_load_environment(const splitscope::BackendRegistry& kinds, char** argv) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
    bool changed = false;
    for (const auto& kind : kinds.kinds()) {
        for (const auto& [variable, value] : kind->load_environment(limit.rlim_cur)) {
            if (std::getenv(variable.c_str()) != nullptr) continue;
            changed = ::setenv(variable.c_str(), value.c_str(), 0) == 0 || changed;
        }
    }
    // Without /proc it continues as loaded.
    if (changed) ::execv("/proc/self/exe", argv);
}

/// Opens /dev/null for closed standard descriptors, because otherwise the next opened file would take their
/// place. Reading then reaches end of file, writing fails.
void open_standard_descriptors() {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
        if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
        // open() returns the lowest free descriptor: this one.
        if (::open("/dev/null", O_RDONLY) < 0) return;
    }
}

}  // namespace

int main(int argc, char** argv) {
    open_standard_descriptors();
    const splitscope::BackendKinds kinds = splitscope::all_backends();
    restart_with_load_environment(*kinds, argv);
    const std::span<const char* const> arguments(argv + 1, argc > 0 ? static_cast<std::size_t>(argc - 1) : 0);
    for (const auto& kind : kinds->kinds())
        if (const auto code = kind->run_process(arguments)) return *code;
    splitscope::keep_freed_memory();
    const auto request = splitscope::cli::handle_command_line(argc, argv, kinds, pdf_writer());
    if (request.exit_code) return *request.exit_code;
#ifdef SPLITSCOPE_HAS_DESKTOP
    if (has_display()) return splitscope::run_desktop(argc, argv, kinds, request.file, request.memory_bound);
#endif
    return splitscope::cli::write_report_without_display(request);
}
