// SPDX-License-Identifier: MIT
#include "engine/support/file.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <random>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/support/descriptor.hpp"
#include "engine/support/error.hpp"
#include "engine/support/mapping_guard.hpp"
#include "engine/support/messages.hpp"
#include "engine/support/resolve_links.hpp"
#include "engine/support/system_error.hpp"
#include "engine/support/utf8.hpp"

namespace splitscope {
namespace {

Error io_error(const Sentence<Message>& failed, int code, const std::filesystem::path& path, Message remedy) {
    return {ErrorKind::io, failed(system_error(code)), path, std::move(remedy)};
}

/// Waits until the descriptor is readable or has an error. Throws Cancelled.
void wait_for_input(int fd, const std::stop_token& stop) {
    constexpr int kPollIntervalMs = 50;
    pollfd input{fd, POLLIN, 0};
    int ready = 0;
    do {
        if (stop.stop_requested()) throw Cancelled();
        ready = ::poll(&input, 1, kPollIntervalMs);
    } while (ready == 0 || (ready < 0 && errno == EINTR));
}

std::string read_descriptor(int fd, const std::filesystem::path& path, std::uint64_t max_bytes,
                            const std::stop_token& stop) {
    std::string text;
    // The file's size is known: reserve exactly.
    struct stat info {};
    if (::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0)
        text.reserve(std::min(static_cast<std::uint64_t>(info.st_size), max_bytes));
    std::string chunk(std::size_t{1} << 16, '\0');
    while (true) {
        wait_for_input(fd, stop);
        const ssize_t got = ::read(fd, chunk.data(), chunk.size());
        if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (got < 0) throw io_error(msg::kCannotRead, errno, path, msg::kCheckReadable);
        if (got == 0) return text;
        if (text.size() + static_cast<std::uint64_t>(got) > max_bytes) {
            throw Error(ErrorKind::limit, msg::kLargerThanLimit(max_bytes), path, msg::kOpenSmallerFile);
        }
        text.append(chunk.data(), static_cast<std::size_t>(got));
    }
}

/// Opens a target that is not a regular file. Waits for a pipe's reader with a timeout, because a blocking
/// open() could not be cancelled. Negative, with errno, on failure.
int open_in_place(const std::filesystem::path& path) {
    constexpr auto kPollInterval = std::chrono::milliseconds(50);
    constexpr int kMaxAttempts = 40;
    int fd = -1;
    for (int attempt = 0; attempt < kMaxAttempts; ++attempt) {
        fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        if (fd >= 0 || errno != ENXIO) break;
        std::this_thread::sleep_for(kPollInterval);
    }
    if (fd >= 0) ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}

/// Creates a file beside `path`; negative, with errno, on failure.
int make_temporary(const std::filesystem::path& path, mode_t mode, std::filesystem::path& temporary) {
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    // Keeps the name within the limits of all file systems.
    constexpr std::size_t kMaxPerName = 100;
    const std::string name = path.filename().string();
    const std::string_view start = cut_text(name, kMaxPerName);
    std::random_device random;
    constexpr int kTries = 100;
    for (int i = 0; i < kTries; ++i) {
        temporary = folder / fmt::format(".{}.{:08x}", start, random());
        const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0777);
        if (fd >= 0 || errno != EEXIST) return fd;
    }
    return -1;
}

/// Without O_NONBLOCK a pipe would wait for a writer before it can be refused.
int open_for_reading(const std::filesystem::path& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) throw io_error(msg::kCannotOpen, errno, path, msg::kCheckPath);
    return fd;
}

std::size_t size_of_regular(int fd, const std::filesystem::path& path) {
    struct stat info {};
    if (::fstat(fd, &info) != 0) throw io_error(msg::kCannotExamine, errno, path, msg::kCheckFileSystem);
    if (!S_ISREG(info.st_mode)) throw Error(ErrorKind::io, msg::kNotRegularFile, path, msg::kChooseFile);
    return static_cast<std::size_t>(info.st_size);
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) : path_(path) {
    const Descriptor fd(open_for_reading(path));
    const std::size_t size = size_of_regular(fd.get(), path);
    if (size == 0) return;
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
    if (address == MAP_FAILED) throw io_error(msg::kCannotMap, errno, path, msg::kCheckAddressSpace);
    bytes_ = {static_cast<const std::byte*>(address), size};
    guard_mapping(bytes_, fd.get());
}

MappedFile::~MappedFile() {
    unmap();
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)), bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    if (this != &other) {
        unmap();
        path_ = std::move(other.path_);
        bytes_ = std::exchange(other.bytes_, {});
    }
    return *this;
}

void MappedFile::unmap() noexcept {
    if (bytes_.empty()) return;
    release_mapping(bytes_);
    // munmap takes a mutable pointer although the mapping is read-only.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
    ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
    bytes_ = {};
}

std::string read_start(const std::filesystem::path& path, std::size_t most) {
    const Descriptor fd(open_for_reading(path));
    std::string start(std::min(size_of_regular(fd.get(), path), most), '\0');
    std::size_t filled = 0;
    while (filled < start.size()) {
        const ssize_t got = ::read(fd.get(), start.data() + filled, start.size() - filled);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) throw io_error(msg::kCannotRead, errno, path, msg::kCheckReadable);
        if (got == 0) break;
        filled += static_cast<std::size_t>(got);
    }
    start.resize(filled);
    return start;
}

std::string read_text_file(const std::filesystem::path& path, std::uint64_t max_bytes,
                           const std::stop_token& stop) {
    if (path == "-") {
        std::string text = read_descriptor(STDIN_FILENO, "standard input", max_bytes, stop);
        // The program replaces a closed one by an empty one.
        if (text.empty()) throw Error(ErrorKind::bad_file, msg::kStandardInputEmpty, "-", msg::kPipeIntoIt);
        return text;
    }
    // Opening a pipe would block without a chance to cancel; reading it can be cancelled.
    const Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    if (fd.get() < 0) throw io_error(msg::kCannotOpen, errno, path, msg::kCheckPath);
    return read_descriptor(fd.get(), path, max_bytes, stop);
}

AtomicFile::AtomicFile(std::filesystem::path path, NewFile access) : path_(std::move(path)) {
    struct stat existing {};
    replaces_ = ::stat(path_.c_str(), &existing) == 0;
    if (!replaces_ && errno != ENOENT) fail(errno);
    if (replaces_ && !S_ISREG(existing.st_mode)) {
        // Folders are refused here.
        fd_ = open_in_place(path_);
        if (fd_ < 0 && errno == ENXIO)
            throw Error(ErrorKind::io, msg::kPipeWithoutReader, path_, msg::kStartReader);
        if (fd_ < 0) fail(errno);
        return;
    }
    // A file readable by its owner only stays so while it is written; a new one follows the umask.
    mode_ = replaces_ ? (existing.st_mode & 07777U) : access == NewFile::owner_only ? 0600U : 0666U;
    place_ = resolve_links(path_);
    if (!place_.has_filename()) fail(ENOENT);
    fd_ = make_temporary(place_, mode_, temporary_);
    if (fd_ < 0) fail(errno);
}

AtomicFile::~AtomicFile() {
    if (fd_ >= 0) ::close(fd_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t put = ::write(fd_, bytes.data(), bytes.size());
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) fail(errno);
        bytes.remove_prefix(static_cast<std::size_t>(put));
    }
}

void AtomicFile::commit() {
    const bool in_place = temporary_.empty();
    if (!in_place && ((replaces_ && ::fchmod(fd_, mode_) != 0) || ::fsync(fd_) != 0)) fail(errno);
    if (::close(std::exchange(fd_, -1)) != 0) fail(errno);
    if (in_place) return;
    if (::rename(temporary_.c_str(), place_.c_str()) != 0) fail(errno);
    temporary_.clear();
}

void AtomicFile::fail(int code) const {
    throw io_error(msg::kCannotWrite, code, path_, msg::kChooseWritableFolder);
}

void write_file_atomically(const std::filesystem::path& path, std::string_view content, NewFile access) {
    AtomicFile file(path, access);
    file.write(content);
    file.commit();
}

void require_writable(const std::filesystem::path& path) {
    struct stat existing {};
    const bool is_other = ::stat(path.c_str(), &existing) == 0 && !S_ISREG(existing.st_mode);
    if (!is_other || S_ISDIR(existing.st_mode)) {
        // Creating a file is the only reliable test.
        const AtomicFile attempt(path);
    } else if (::access(path.c_str(), W_OK) != 0) {
        // Opening a pipe would block until it has a reader.
        throw io_error(msg::kCannotWrite, errno, path, msg::kChooseWritableFolder);
    }
}

void require_other_file(const std::filesystem::path& target, const std::filesystem::path& input) {
    const std::filesystem::path source = input == "-" ? "/dev/stdin" : input;
    std::error_code missing;
    // Pipes and devices are written directly.
    if (!std::filesystem::is_regular_file(target, missing) ||
        !std::filesystem::equivalent(target, source, missing))
        return;
    throw Error(ErrorKind::usage, msg::kWouldReplaceInput, target, msg::kChooseOtherName);
}

}  // namespace splitscope
