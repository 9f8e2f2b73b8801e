// SPDX-License-Identifier: MIT
#include "engine/support/mapping_guard.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <numeric>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/support/error.hpp"
#include "engine/support/file.hpp"

namespace splitscope {
namespace {

namespace fs = std::filesystem;

class MappedFileFaults : public ::testing::Test {
 protected:
    void SetUp() override {
        path_ = fs::temp_directory_path() / ("splitscope-mapped-" + std::to_string(::getpid()));
        std::ofstream(path_, std::ios::binary) << std::string(kBytes, 'x');
    }
    void TearDown() override { fs::remove(path_); }

    static unsigned sum(const MappedFile& file) {
        unsigned total = 0;
        for (const std::byte b : file.bytes()) total += std::to_integer<unsigned>(b);
        return total;
    }

    static constexpr std::size_t kBytes = 40000;
    fs::path path_;
};

TEST_F(MappedFileFaults, TruncatedFileReadsAsZerosAndIsReported) {
    const MappedFile file(path_);
    EXPECT_EQ(sum(file), kBytes * 'x');
    EXPECT_NO_THROW(require_intact(file.bytes(), path_));
    fs::resize_file(path_, 5000);
    EXPECT_LT(sum(file), kBytes * 'x') << "what is gone reads as zeros";
    try {
        require_intact(file.bytes(), path_);
        ADD_FAILURE() << "the damage went unnoticed";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::io);
        EXPECT_EQ(error.where(), path_.string());
    }
}

TEST_F(MappedFileFaults, NextMappingAtTheSameAddressIsIntact) {
    {
        const MappedFile file(path_);
        fs::resize_file(path_, 100);
        EXPECT_EQ(sum(file), 100U * 'x');
        EXPECT_TRUE(is_damaged(file.bytes().data()));
    }
    const MappedFile again(path_);
    EXPECT_EQ(sum(again), 100U * 'x');
    EXPECT_FALSE(is_damaged(again.bytes().data()));
}

TEST_F(MappedFileFaults, ReplacedFileKeepsItsOldContent) {
    const MappedFile file(path_);
    write_file_atomically(path_, "something else");
    EXPECT_EQ(sum(file), kBytes * 'x');
    EXPECT_NO_THROW(require_intact(file.bytes(), path_));
}

TEST_F(MappedFileFaults, SupportsManyMappings) {
    std::vector<MappedFile> files;
    for (int i = 0; i < 300; ++i) files.emplace_back(path_);
    for (const MappedFile& file : files) EXPECT_EQ(file.bytes().size(), kBytes);
    fs::resize_file(path_, 100);
    for (const MappedFile& file : files) {
        EXPECT_EQ(sum(file), 100U * 'x');
        EXPECT_TRUE(is_damaged(file.bytes().data()));
    }
}

TEST_F(MappedFileFaults, RefusesPipesAndFolders) {
    const fs::path pipe = path_.string() + ".pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_THROW(MappedFile{pipe}, Error) << "opening it must not wait for a writer";
    fs::remove(pipe);
    EXPECT_THROW(MappedFile{fs::temp_directory_path()}, Error);
    EXPECT_THROW(MappedFile{"/dev/zero"}, Error);
}

TEST_F(MappedFileFaults, OtherBusErrorsStillEndTheProcess) {
    const MappedFile file(path_);  // installs the handler
    // A sanitizer reports the signal first and exits itself.
    const auto ended = [](int status) {
        return WIFSIGNALED(status) ? WTERMSIG(status) == SIGBUS : WEXITSTATUS(status) != 0;
    };
    EXPECT_EXIT(::raise(SIGBUS), ended, "");
}

}  // namespace
}  // namespace splitscope
