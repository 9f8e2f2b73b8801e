// SPDX-License-Identifier: MIT
#include "recorder/text_file.hpp"

#include <cerrno>
#include <csignal>
#include <ctime>

#include <fcntl.h>
#include <unistd.h>

namespace splitscope::recorder {
namespace {

/// As write(), but the signal for exceeding a file size limit does not kill the program.
ssize_t write_some(int file, std::string_view block) {
    sigset_t too_large;
    sigset_t before;
    sigemptyset(&too_large);
    sigaddset(&too_large, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &too_large, &before);
    const ssize_t written = ::write(file, block.data(), block.size());
    if (written < 0 && errno == EFBIG) {
        constexpr timespec kAtOnce{};
        sigtimedwait(&too_large, nullptr, &kAtOnce);
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return written;
}

}  // namespace

bool TextFile::open() {
    const long process = ::getpid();
    if (file_ >= 0 && process_ == process) return true;
    // A forked child writes its own file.
    process_ = process;
    const std::string path = folder_ + "/" + std::to_string(process) + ".recording";
    file_ = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    return file_ >= 0;
}

bool TextFile::write(std::string_view block) {
    if (failed_) return false;
    if (block.size() > left_ || !open()) {
        failed_ = true;
        constexpr std::string_view kLimit = "limit\n";
        if (file_ >= 0) write_some(file_, kLimit);
        return false;
    }
    left_ -= block.size();
    while (!block.empty()) {
        const auto written = write_some(file_, block);
        if (written <= 0) {
            failed_ = true;
            return false;
        }
        block.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

void append_number(std::string& out, std::int64_t number) {
    out += ' ';
    out += std::to_string(number);
}

void append_escaped(std::string& out, const char* text, std::size_t most) {
    constexpr char kDigits[] = "0123456789ABCDEF";
    if (text == nullptr) return;
    for (std::size_t i = 0; i < most && text[i] != '\0'; ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (byte > ' ' && byte != '%' && byte != 0x7F) {
            out += text[i];
        } else {
            out += '%';
            out += kDigits[byte >> 4U];
            out += kDigits[byte & 15U];
        }
    }
}

}  // namespace splitscope::recorder
