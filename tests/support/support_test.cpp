// SPDX-License-Identifier: MIT
#include <array>
#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine/messages/format_bytes.hpp"
#include "engine/messages/format_number.hpp"
#include "engine/support/checked.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "engine/support/generation.hpp"
#include "engine/support/job.hpp"
#include "engine/support/large_blocks.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/strong_id.hpp"
#include "engine/support/utf8.hpp"
#include "tests/support/under_sanitizer.hpp"

namespace splitscope {
namespace {

namespace fs = std::filesystem;

class TemporaryFolder {
 public:
    TemporaryFolder() : path_(fs::temp_directory_path() / ("splitscope-test-" + std::to_string(::getpid()))) {
        fs::create_directories(path_);
    }
    ~TemporaryFolder() { fs::remove_all(path_); }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    fs::path operator/(const char* name) const { return path_ / name; }

 private:
    fs::path path_;
};

TEST(ErrorTest, FormatsPlaceProblemAndRemedyOnOneLine) {
    const Error error(ErrorKind::range, Message::verbatim("too long"), "tensor 'x'",
                      Message::verbatim("shorten it"));
    EXPECT_STREQ(error.what(), "tensor 'x': too long — shorten it");
    EXPECT_EQ(error.within("file.json").where(), "file.json: tensor 'x'");
    EXPECT_EQ(error.within("file.json").kind(), ErrorKind::range);
    EXPECT_EQ(name_of(ErrorKind::no_backend), "no-backend");
    EXPECT_STREQ(Error(ErrorKind::io, Message::verbatim("gone")).what(), "gone");
}

TEST(FileTest, SignalsEndWaits) {
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    ASSERT_EQ(::write(pipe[1], "some", 4), 4);
    std::stop_source stop;
    const std::jthread asks([&stop] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        stop.request_stop();
    });
    const std::string path = "/proc/self/fd/" + std::to_string(pipe[0]);
    EXPECT_THROW(read_text_file(path, kMaxTextBytes, stop.get_token()), Cancelled);
    ::close(pipe[1]);
    EXPECT_EQ(read_text_file(path, kMaxTextBytes, std::stop_source().get_token()), "");
    ::close(pipe[0]);
}

TEST(FileTest, WritesAtomicallyAndReadsBack) {
    const TemporaryFolder folder;
    const fs::path file = folder / "a.txt";
    write_file_atomically(file, "first");
    write_file_atomically(file, "second");
    EXPECT_EQ(read_text_file(file), "second");
    EXPECT_EQ(std::distance(fs::directory_iterator(file.parent_path()), fs::directory_iterator()), 1)
        << "no temporary file is left";
    EXPECT_THROW(read_text_file(file, 3), Error);
    EXPECT_THROW(read_text_file(folder / "missing"), Error);
    const MappedFile mapped(file);
    EXPECT_EQ(mapped.bytes().size(), 6u);
    EXPECT_THROW(MappedFile(folder / "missing"), Error);
    EXPECT_THROW(write_file_atomically(folder / "no/such/folder", "x"), Error);
}

TEST(FormatBytes, UsesThreeDigitsAndBinaryUnits) {
    EXPECT_EQ(format_bytes(0), "0 B");
    EXPECT_EQ(format_bytes(512), "512 B");
    EXPECT_EQ(format_bytes(13'212'058), "12.6 MiB");
}

TEST(CheckedArithmetic, DetectsOverflow) {
    EXPECT_EQ(checked_add<std::int64_t>(1, 2), 3);
    EXPECT_EQ(checked_add<std::int64_t>(INT64_MAX, 1), std::nullopt);
    EXPECT_EQ(checked_mul<std::uint64_t>(std::uint64_t{1} << 40, std::uint64_t{1} << 40), std::nullopt);
    EXPECT_EQ(round_up<std::uint64_t>(33, 32), 64u);
    EXPECT_EQ(round_up<std::uint64_t>(0, 32), 0u);
}

TEST(GenerationTest, NamesAreKnownInBothDirections) {
    for (const Generation generation : kGenerations)
        EXPECT_EQ(generation_named(name_of(generation)), generation);
    EXPECT_EQ(generation_named("2023-01"), std::nullopt);
}

TEST(FormatFigure, HasThreeDigitsAndNoExponent) {
    EXPECT_EQ(format_figure(0), "0");
    EXPECT_EQ(format_figure(0.1234), "0.123");
    EXPECT_EQ(format_figure(10.13), "10.1");
    EXPECT_EQ(format_figure(999.4), "999");
    EXPECT_EQ(format_figure(999.6), "1,000");
    EXPECT_EQ(format_figure(30612), "30,600");
    EXPECT_EQ(format_figure(-4567), "-4,570");
}

TEST(Utf8Test, ReplacesEveryInvalidByte) {
    EXPECT_EQ(well_formed_utf8("aé€😀"), "aé€😀");
    EXPECT_EQ(well_formed_utf8(""), "");
    EXPECT_EQ(well_formed_utf8("\xFF"
                               "a\xC3"),
              "\uFFFD"
              "a\uFFFD");
    EXPECT_EQ(well_formed_utf8("\xC0\xAF"), "\uFFFD\uFFFD") << "an overlong form";
    EXPECT_EQ(well_formed_utf8("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD") << "a surrogate";
    EXPECT_EQ(well_formed_utf8("\xF4\x90\x80\x80"), "\uFFFD\uFFFD\uFFFD\uFFFD") << "beyond the last";
}

TEST(StrongIdTest, HasANoneValue) {
    struct Tag;
    using Id = StrongId<Tag>;
    EXPECT_FALSE(Id().valid());
    EXPECT_TRUE(Id(std::size_t{3}).valid());
    EXPECT_EQ(Id(std::size_t{3}).index(), 3u);
    EXPECT_LT(Id(), Id(std::size_t{0}));
}

TEST(JobTest, StopsAndReports) {
    std::stop_source source;
    double seen = 0;
    const JobContext job(source.get_token(), [&](double fraction, const Message&) { seen = fraction; });
    EXPECT_NO_THROW(job.check());
    job.report(0.5, Message::verbatim("half"));
    EXPECT_EQ(seen, 0.5);
    source.request_stop();
    EXPECT_TRUE(job.stop_requested());
    EXPECT_THROW(job.check(), Cancelled);
    EXPECT_NO_THROW(JobContext().check());
}

TEST(LargeBlocks, FreedMemoryIsUsedAgain) {
#ifndef __GLIBC__
    GTEST_SKIP() << "NOT RUN: another C library";
#endif
    if (testing::kUnderSanitizer) GTEST_SKIP() << "NOT RUN: sanitizers have their own allocator";
    keep_freed_memory();
    const auto faults_of = [](const auto& work) {
        const auto faults = [] {
            rusage usage{};
            ::getrusage(RUSAGE_SELF, &usage);
            return usage.ru_minflt;
        };
        const long before = faults();
        work();
        return faults() - before;
    };
    // As much as a schedule of 10,000 nodes.
    constexpr std::size_t kBlocks = 8;
    const auto use = [] {
        std::vector<std::string> blocks;
        for (std::size_t i = 0; i < kBlocks; ++i) blocks.emplace_back(std::size_t{1} << 20, 'x');
    };
    faults_of(use);
    // Of 2,048 pages.
    EXPECT_LT(faults_of(use), 64);
    return_large_blocks();
}

}  // namespace
}  // namespace splitscope
