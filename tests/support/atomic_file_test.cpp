// SPDX-License-Identifier: MIT
// Targets of written files: links, pipes, devices, long names; and files that are never replaced.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "engine/support/utf8.hpp"

namespace splitscope {
namespace {

namespace fs = std::filesystem;

class AtomicFileTest : public ::testing::Test {
 protected:
    AtomicFileTest() {
        std::string pattern = (fs::temp_directory_path() / "splitscope-writing-XXXXXX").string();
        folder_ = ::mkdtemp(pattern.data());
    }
    ~AtomicFileTest() override { fs::remove_all(folder_); }

    fs::path operator/(const std::string& name) const { return folder_ / name; }
    std::ptrdiff_t entries() const {
        return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
    }
    template <class Work>
    static std::string refusal(const Work& work) {
        try {
            work();
        } catch (const Error& error) {
            EXPECT_FALSE(error.remedy().empty());
            return error.what();
        }
        return "done";
    }
    static bool refuses(const fs::path& target, const fs::path& input) {
        try {
            require_other_file(target, input);
            return false;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::usage);
            EXPECT_EQ(error.where(), target.string());
            return true;
        }
    }

    fs::path folder_;
};

TEST_F(AtomicFileTest, ReplacesTheTargetOnlyWhenComplete) {
    write_file_atomically(*this / "a", "old");
    {
        AtomicFile file(*this / "a");
        file.write("ne");
        EXPECT_EQ(read_text_file(*this / "a"), "old");
    }
    EXPECT_EQ(read_text_file(*this / "a"), "old");
    EXPECT_EQ(entries(), 1) << "what was not committed is gone";
    AtomicFile file(*this / "a");
    file.write("ne");
    file.write("w");
    file.commit();
    EXPECT_EQ(read_text_file(*this / "a"), "new");
    EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFileTest, FollowsSymbolicLinks) {
    fs::create_directory(*this / "real");
    write_file_atomically(*this / "real/a", "old");
    fs::create_symlink("real/a", *this / "first");
    fs::create_symlink(*this / "first", *this / "second");
    write_file_atomically(*this / "second", "new");
    EXPECT_EQ(read_text_file(*this / "real/a"), "new");
    EXPECT_TRUE(fs::is_symlink(*this / "first") && fs::is_symlink(*this / "second"));
    fs::create_symlink("real/b", *this / "third");
    write_file_atomically(*this / "third", "made");
    EXPECT_EQ(read_text_file(*this / "real/b"), "made") << "what the link leads to was not there";
    EXPECT_TRUE(fs::is_symlink(*this / "third"));
    fs::create_symlink("missing/c", *this / "fourth");
    EXPECT_NE(refusal([&] { write_file_atomically(*this / "fourth", "x"); }), "done");
    fs::create_symlink("fifth", *this / "fifth");
    EXPECT_NE(refusal([&] { write_file_atomically(*this / "fifth", "x"); }), "done") << "in a circle";
    EXPECT_TRUE(fs::is_symlink(*this / "fifth"));
}

TEST_F(AtomicFileTest, WritesToPipes) {
    const fs::path pipe = *this / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    // A non-blocking reader.
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    write_file_atomically(pipe, "through");
    std::string seen(100, '\0');
    seen.resize(static_cast<std::size_t>(std::max<ssize_t>(0, ::read(reader, seen.data(), seen.size()))));
    ::close(reader);
    EXPECT_EQ(seen, "through");
    EXPECT_TRUE(fs::is_fifo(pipe));
    EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFileTest, WritesToDevicesAndRefusesFolders) {
    // Through a link, so that an error does not replace a device of this computer.
    fs::create_symlink("/dev/null", *this / "null");
    write_file_atomically(*this / "null", "gone");
    EXPECT_TRUE(fs::is_symlink(*this / "null"));
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
    fs::create_symlink("/dev/full", *this / "full");
    EXPECT_NE(refusal([&] { write_file_atomically(*this / "full", "x"); }).find("no space left"),
              std::string::npos);
    EXPECT_NE(refusal([&] { AtomicFile file(folder_); }).find("is a directory"), std::string::npos);
    EXPECT_NE(refusal([&] { AtomicFile file(""); }), "done");
    EXPECT_EQ(entries(), 2);
}

TEST_F(AtomicFileTest, AcceptsTheLongestNames) {
    std::string name;
    while (name.size() < 250) name += "é";
    for (const std::string& longest : {name, name + "12345", std::string(255, 'x')}) {
        AtomicFile file(*this / longest);
        for (const auto& entry : fs::directory_iterator(folder_)) {
            const std::string temporary = entry.path().filename().string();
            EXPECT_EQ(well_formed_utf8(temporary), temporary) << "a character was cut";
        }
        file.write("content");
        file.commit();
        EXPECT_EQ(read_text_file(*this / longest), "content");
        EXPECT_EQ(entries(), 1);
        fs::remove(*this / longest);
    }
}

TEST_F(AtomicFileTest, ChecksWritabilityFirst) {
    EXPECT_EQ(refusal([&] { require_writable(*this / "new"); }), "done");
    EXPECT_EQ(entries(), 0) << "nothing is left of the attempt";
    write_file_atomically(*this / "old", "precious");
    EXPECT_EQ(refusal([&] { require_writable(*this / "old"); }), "done");
    EXPECT_EQ(read_text_file(*this / "old"), "precious");
    // Not even root can create files in /proc.
    for (const fs::path& path : {*this / "missing/x", folder_, fs::path("/proc/x"), fs::path()})
        EXPECT_NE(refusal([&] { require_writable(path); }).find("cannot write"), std::string::npos) << path;
    ASSERT_EQ(::mkfifo((*this / "pipe").c_str(), 0600), 0);
    EXPECT_EQ(refusal([&] { require_writable(*this / "pipe"); }), "done") << "without waiting for a reader";
}

TEST_F(AtomicFileTest, RecognisesTheSameFileByAnyName) {
    write_file_atomically(*this / "model", "precious");
    write_file_atomically(*this / "other", "precious");
    fs::create_directory(*this / "folder");
    fs::create_symlink("model", *this / "link");
    fs::create_hard_link(*this / "model", *this / "twin");
    for (const char* name : {"model", "./model", "folder/../model", "link", "twin"}) {
        EXPECT_TRUE(refuses(*this / name, *this / "model")) << name;
        EXPECT_TRUE(refuses(*this / "model", *this / name)) << name;
    }
    for (const char* name : {"other", "missing", "folder"})
        EXPECT_FALSE(refuses(*this / name, *this / "model"));
    EXPECT_FALSE(refuses(*this / "model", *this / "missing"));
    EXPECT_FALSE(refuses(*this / "model", ""));
    EXPECT_FALSE(refuses("/dev/null", "/dev/null")) << "a device is not replaced";
}

TEST_F(AtomicFileTest, RecognisesTheFileOfStandardInput) {
    write_file_atomically(*this / "piped", "precious");
    const int before = ::dup(STDIN_FILENO);
    const int piped = ::open((*this / "piped").c_str(), O_RDONLY | O_CLOEXEC);
    ASSERT_GE(::dup2(piped, STDIN_FILENO), 0);
    EXPECT_TRUE(refuses(*this / "piped", "-"));
    EXPECT_FALSE(refuses(*this / "missing", "-"));
    ::dup2(before, STDIN_FILENO);
    ::close(before);
    ::close(piped);
}

}  // namespace
}  // namespace splitscope
