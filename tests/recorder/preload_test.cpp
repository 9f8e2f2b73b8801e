// SPDX-License-Identifier: MIT
// The recorder preloaded by hand: it does nothing unless requested, and the program runs unchanged, whatever
// the target of the recording.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/cli/process.hpp"

namespace splitscope::test {
namespace {

namespace fs = std::filesystem;

using Variables = std::map<std::string, std::string>;

class Preload : public ::testing::Test {
 protected:
    Preload() {
        // The programs get only the given recorder variables.
        for (const char* variable : {"LD_PRELOAD", "SPLITSCOPE_RECORD_FOLDER", "SPLITSCOPE_RECORD_LIMIT"})
            ::unsetenv(variable);
        for (const fs::path& folder : {work(), temporary(), records()}) fs::create_directory(folder);
    }

    fs::path work() const { return folder_.path() / "work"; }
    fs::path temporary() const { return folder_.path() / "tmp"; }
    fs::path records() const { return folder_.path() / "records"; }

    Variables preloaded(Variables more = {}) const {
        more["LD_PRELOAD"] = SPLITSCOPE_RECORDER_LIBRARY;
        return more;
    }
    Variables recording_to(const std::string& folder, Variables more = {}) const {
        more["SPLITSCOPE_RECORD_FOLDER"] = folder;
        return preloaded(std::move(more));
    }

    /// Runs the program in a separate working folder.
    Outcome run(const std::string& program, Variables variables) const {
        for (const char* name : {"TMPDIR", "HOME"}) variables[name] = temporary().string();
        Start start;
        start.folder = work();
        start.environment = std::move(variables);
        start.file_bytes = max_file_bytes_;
        return run_program(program, {}, start);
    }

    /// Output and files of the program equal those without the recorder.
    void expect_unharmed(const Variables& variables) const {
        const Outcome alone = run(kHost, {});
        EXPECT_EQ(alone.exit_code, 0) << alone.err;
        EXPECT_EQ(alone.out, "computed 1 7\n");
        const Outcome watched = run(kHost, variables);
        EXPECT_EQ(watched.exit_code, alone.exit_code);
        EXPECT_EQ(watched.out, alone.out);
        EXPECT_EQ(watched.err, alone.err);
        EXPECT_TRUE(fs::is_empty(work()));
        EXPECT_TRUE(fs::is_empty(temporary()));
    }

    std::optional<std::uint64_t> max_file_bytes_;  ///< of the program

    static inline const std::string kHost = SPLITSCOPE_PROGRAMS "/stand_in_host_plain";

 private:
    TemporaryFolder folder_;
};

TEST_F(Preload, DoesNothingByDefault) {
    expect_unharmed(preloaded());
    expect_unharmed(preloaded({{"SPLITSCOPE_RECORD_LIMIT", "1000000"}}));
}

TEST_F(Preload, WritesOnePrivateFile) {
    expect_unharmed(recording_to(records().string()));
    ASSERT_EQ(std::distance(fs::directory_iterator(records()), fs::directory_iterator()), 1);
    const fs::directory_entry file = *fs::directory_iterator(records());
    EXPECT_TRUE(read_file(file.path()).starts_with("splitscope-recording 1\n"));
    EXPECT_EQ(file.status().permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Preload, WritesNothingForAProgramWithoutTheEngine) {
    EXPECT_EQ(run("/bin/true", recording_to(records().string())).exit_code, 0);
    EXPECT_EQ(run("/bin/false", recording_to(records().string())).exit_code, 1);
    EXPECT_TRUE(fs::is_empty(records()));
}

TEST_F(Preload, ReadOnlyFolderDoesNotAffectTheProgram) {
    // Not even root can create files in /proc; relative paths are ignored.
    for (const std::string& folder :
         {std::string(), std::string("."), std::string("relative"), (records() / "missing").string(),
          std::string("/proc"), std::string("/dev/null")}) {
        SCOPED_TRACE(folder);
        expect_unharmed(recording_to(folder));
    }
    EXPECT_TRUE(fs::is_empty(records()));
}

TEST_F(Preload, TinyLimitDoesNotAffectTheProgram) {
    constexpr std::uintmax_t kMark = 6;  // the line that reports it
    for (const std::uintmax_t limit : {1U, 64U, 256U}) {
        SCOPED_TRACE(limit);
        expect_unharmed(
            recording_to(records().string(), {{"SPLITSCOPE_RECORD_LIMIT", std::to_string(limit)}}));
        for (const auto& file : fs::directory_iterator(records())) {
            EXPECT_LE(file.file_size(), limit + kMark);
            fs::remove(file.path());
        }
    }
}

TEST_F(Preload, FileSizeLimitDoesNotEndTheProgram) {
    max_file_bytes_ = 100;
    expect_unharmed(recording_to(records().string()));
    ASSERT_FALSE(fs::is_empty(records()));
    EXPECT_LE(fs::directory_iterator(records())->file_size(), 100U);
}

}  // namespace
}  // namespace splitscope::test
