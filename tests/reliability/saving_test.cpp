// SPDX-License-Identifier: MIT
// Saving when the disk is full, the folder is not writable or the program dies midway: the previous contents
// are kept, and the next save works.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/models/random_model.hpp"
#include "engine/session/open_session.hpp"
#include "engine/session/resources.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "tests/reliability/narrow_model.hpp"

namespace splitscope::testing {
namespace {

namespace fs = std::filesystem;

class SavingFaults : public ::testing::Test {
 protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("splitscope-saving-" + std::to_string(::getpid()));
        fs::create_directories(folder_);
        file_ = folder_ / "session.splitscope.json";
        save_session(sample(), file_);
        before_ = read_text_file(file_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    static Session sample() { return default_session(open_file(sample_model_path())); }

    /// Runs it in a child that may write at most `bytes` to any file; returns the status of waitpid.
    static int in_child_with_little_disk(rlim_t bytes, bool ignore_signal, const std::function<int()>& work) {
        const pid_t child = ::fork();
        if (child == 0) {
            const rlimit limit{bytes, bytes};
            ::setrlimit(RLIMIT_FSIZE, &limit);
            const rlimit no_core{0, 0};
            ::setrlimit(RLIMIT_CORE, &no_core);
            ::signal(SIGXFSZ, ignore_signal ? SIG_IGN : SIG_DFL);
            ::_exit(work());
        }
        int status = -1;
        ::waitpid(child, &status, 0);
        return status;
    }

    static void expect_io_error(rlim_t bytes, const std::function<void()>& work) {
        const int status = in_child_with_little_disk(bytes, true, [&] {
            try {
                work();
                return 1;
            } catch (const Error& error) {
                return error.kind() == ErrorKind::io && !error.remedy().empty() ? 42 : 2;
            }
        });
        ASSERT_TRUE(WIFEXITED(status));
        EXPECT_EQ(WEXITSTATUS(status), 42) << bytes;
    }

    /// The end of a child without permissions.
    enum ChildEnd : int { kSaved, kIoError, kOtherError, kStaysRoot };

    /// Saves from a child that is not root, since root can write to every folder.
    static int end_of_saving_without_rights(const Session& session, const fs::path& file) {
        constexpr unsigned kNobody = 65534;
        const pid_t child = ::fork();
        if (child == 0) {
            // From inside, so that the parent folders need not be accessible to others.
            if (::chdir(file.parent_path().c_str()) != 0) ::_exit(kOtherError);
            if (::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) ::_exit(kStaysRoot);
            try {
                save_session(session, file.filename());
                ::_exit(kSaved);
            } catch (const Error& error) {
                ::_exit(error.kind() == ErrorKind::io ? kIoError : kOtherError);
            } catch (...) {
                ::_exit(kOtherError);  // do not continue with the other tests
            }
        }
        int status = -1;
        ::waitpid(child, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }

    /// The kind of the error of saving there.
    static std::string error_of_saving(const fs::path& file) {
        try {
            save_session(sample(), file);
        } catch (const Error& error) {
            return std::string(name_of(error.kind()));
        }
        return "saved";
    }

    static std::vector<fs::path> files_in(const fs::path& folder) {
        std::vector<fs::path> files;
        for (const fs::directory_entry& file : fs::directory_iterator(folder)) files.push_back(file.path());
        return files;
    }
    std::size_t files_in_folder() const { return files_in(folder_).size(); }

    fs::path folder_;
    fs::path file_;
    std::string before_;
};

TEST_F(SavingFaults, FullDiskIsAnErrorAndKeepsTheOldFile) {
    expect_io_error(100, [&] { save_session(sample(), file_); });
    EXPECT_EQ(read_text_file(file_), before_);
    EXPECT_EQ(files_in_folder(), 1U) << "the unfinished file was removed";
}

TEST_F(SavingFaults, CrashMidwayKeepsTheOldFile) {
    // The file size signal ends the child between two writes.
    const int status = in_child_with_little_disk(100, false, [&] {
        save_session(sample(), file_);
        return 0;
    });
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(WTERMSIG(status), SIGXFSZ);
    EXPECT_EQ(read_text_file(file_), before_);
    // The partial output is hidden beside it.
    const auto files = files_in(folder_);
    ASSERT_EQ(files.size(), 2U);
    const fs::path& unfinished = files[0] == file_ ? files[1] : files[0];
    EXPECT_TRUE(unfinished.filename().string().starts_with("." + file_.filename().string() + "."))
        << unfinished;
    EXPECT_EQ(read_text_file(unfinished), before_.substr(0, 100));
    EXPECT_NO_THROW(open_session(file_)) << "the session opens again";
    EXPECT_NO_THROW(save_session(sample(), file_)) << "what the dead program left behind is in nobody's way";
    EXPECT_EQ(files_in_folder(), 2U);
}

TEST_F(SavingFaults, UnwritableFolderIsAnError) {
    // Not even root can create files there.
    EXPECT_EQ(error_of_saving("/proc/session.splitscope.json"), "io");
    EXPECT_EQ(error_of_saving(folder_ / "missing" / "session.splitscope.json"), "io");
    EXPECT_EQ(error_of_saving(folder_), "io") << "a folder is no file";
    EXPECT_EQ(files_in_folder(), 1U);
}

TEST_F(SavingFaults, ReadOnlyFolderIsAnErrorAndKeepsTheOldFile) {
    const Session session = sample();
    const fs::path closed = folder_ / "closed";
    fs::create_directory(closed);
    const fs::path file = closed / file_.filename();
    fs::copy_file(file_, file);
    ASSERT_EQ(::chmod(file.c_str(), 0666), 0);
    ASSERT_EQ(::chmod(closed.c_str(), 0555), 0);
    const int end = end_of_saving_without_rights(session, file);
    if (end == kStaysRoot) GTEST_SKIP() << "root cannot become somebody else here";
    EXPECT_EQ(end, kIoError);
    EXPECT_EQ(read_text_file(file), before_);
    EXPECT_EQ(files_in(closed).size(), 1U);
    ASSERT_EQ(::chmod(closed.c_str(), 0777), 0);
    EXPECT_EQ(end_of_saving_without_rights(session, file), kSaved) << "it was the folder alone";
    EXPECT_EQ(files_in(closed).size(), 1U);
}

TEST_F(SavingFaults, FullDiskWhileWritingAModelKeepsTheOldFile) {
    const RandomModelOptions options = narrow_model(1);
    for (const rlim_t bytes : {rlim_t{100}, rlim_t{10'000}}) {
        expect_io_error(bytes, [&] { write_random_model(file_, options); });
        EXPECT_EQ(read_text_file(file_), before_);
        EXPECT_EQ(files_in_folder(), 1U);
    }
    ::chmod(file_.c_str(), 0640);
    const std::uint64_t bytes = write_random_model(file_, options);
    EXPECT_EQ(bytes, fs::file_size(file_));
    EXPECT_EQ(fs::status(file_).permissions(), static_cast<fs::perms>(0640));
}

TEST_F(SavingFaults, SavingKeepsThePermissions) {
    const auto mode = [](const fs::path& path) {
        struct stat info {};
        ::stat(path.c_str(), &info);
        return info.st_mode & 0777U;
    };
    ::chmod(file_.c_str(), 0600);
    save_session(sample(), file_);
    EXPECT_EQ(mode(file_), 0600U);
    const mode_t previous = ::umask(0077);
    save_session(sample(), folder_ / "private.splitscope.json");
    ::umask(previous);
    EXPECT_EQ(mode(folder_ / "private.splitscope.json"), 0600U) << "new files follow the user's umask";
}

/// Waits until the reader has read the whole pipe; false if there is no reader any more.
bool is_taken(int pipe) {
    for (int left = 1; ::ioctl(pipe, FIONREAD, &left) == 0;) {
        if (left == 0) return true;
        pollfd end{pipe, 0, 0};
        if (::poll(&end, 1, 0) != 0) return false;
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    return false;
}

TEST_F(SavingFaults, TextInPiecesIsReadCompletely) {
    const fs::path pipe = folder_ / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    bool one_by_one = true;
    {
        const std::jthread writer([&] {
            const int fd = ::open(pipe.c_str(), O_WRONLY | O_CLOEXEC);
            for (std::size_t at = 0; one_by_one && at < before_.size(); at += 7) {
                const std::size_t piece = std::min<std::size_t>(7, before_.size() - at);
                one_by_one = ::write(fd, before_.data() + at, piece) > 0 && is_taken(fd);
            }
            ::close(fd);
        });
        EXPECT_EQ(read_text_file(pipe), before_);
    }
    EXPECT_TRUE(one_by_one);
}

}  // namespace
}  // namespace splitscope::testing
