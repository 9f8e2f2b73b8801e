// SPDX-License-Identifier: MIT
#include "engine/formats/gguf.hpp"

#include <gtest/gtest.h>

#include "engine/support/error.hpp"
#include "tests/formats/gguf_writer.hpp"

namespace splitscope {
namespace {

using test::GgufType;
using test::GgufWriter;
using test::TemporaryFile;

GgufWriter small_model() {
    GgufWriter writer;
    writer.text("general.architecture", "test")
        .number("test.block_count", 2)
        .decimal("test.epsilon", 0.5F)
        .truth("test.flag", true)
        .texts("test.words", {"a", "", "ccc"})
        .numbers<std::int32_t>("test.kinds", GgufType::i32, {1, -2, 3})
        .tensor("first", {8, 2})
        .tensor("second", {4});
    return writer;
}

/// The error of a file with these bytes; fails if it is accepted.
std::string refusal(const std::string& bytes) {
    const TemporaryFile file(bytes);
    try {
        GgufFile::open(file.path());
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_file);
        EXPECT_NE(error.where().find(file.path().string()), std::string::npos) << error.what();
        EXPECT_NE(error.where().find("byte "), std::string::npos) << error.what();
        EXPECT_FALSE(error.remedy().empty()) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "accepted";
    return {};
}

::testing::AssertionResult says(const std::string& message, const std::string& part) {
    if (message.find(part) != std::string::npos) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "'" << message << "' does not say '" << part << "'";
}

TEST(Gguf, ReadsMetadataAndTensors) {
    const TemporaryFile stored(small_model().bytes());
    const auto file = GgufFile::open(stored.path());
    EXPECT_EQ(file->version(), 3U);
    EXPECT_EQ(file->string_value("general.architecture"), "test");
    EXPECT_EQ(file->unsigned_value("test.block_count"), 2U);
    EXPECT_EQ(file->float_value("test.epsilon"), 0.5);
    EXPECT_EQ(file->bool_value("test.flag"), true);
    EXPECT_EQ(file->unsigned_value("absent"), std::nullopt);
    ASSERT_EQ(file->tensors().size(), 2U);
    EXPECT_EQ(file->tensors()[0].ne, (Shape{8, 2, 1, 1}));
    EXPECT_EQ(file->tensors()[1].offset, 64U);
    EXPECT_TRUE(file->has_data());
    EXPECT_EQ(file->data(0).size(), 64U);
    EXPECT_EQ(file->find_tensor("second"), std::optional<std::size_t>(1));
    EXPECT_EQ(file->find_tensor("third"), std::nullopt);
}

TEST(Gguf, ReadsVersionTwo) {
    GgufWriter writer = small_model();
    writer.version = 2;
    const TemporaryFile stored(writer.bytes());
    EXPECT_EQ(GgufFile::open(stored.path())->version(), 2U);
}

TEST(Gguf, RefusesValuesOfAnotherTypeByName) {
    const TemporaryFile stored(small_model().bytes());
    const auto file = GgufFile::open(stored.path());
    for (const auto& ask : {+[](const GgufFile& f) { (void)f.unsigned_value("test.words"); },
                            +[](const GgufFile& f) { (void)f.float_value("test.words"); },
                            +[](const GgufFile& f) { (void)f.bool_value("test.words"); },
                            +[](const GgufFile& f) { (void)f.string_value("test.words"); }}) {
        try {
            ask(*file);
            ADD_FAILURE() << "accepted";
        } catch (const Error& error) {
            EXPECT_TRUE(says(error.where(), "test.words"));
        }
    }
}

TEST(Gguf, RefusesHeadersTruncatedAnywhere) {
    const std::string header = small_model().header();
    for (std::size_t length = 0; length < header.size(); ++length) {
        SCOPED_TRACE(length);
        refusal(header.substr(0, length));
    }
}

TEST(Gguf, HeaderOnlyFilesAreForInspection) {
    const TemporaryFile stored(small_model().header());
    const auto file = GgufFile::open(stored.path());
    EXPECT_FALSE(file->has_data());
    EXPECT_TRUE(file->data(1).empty());
}

TEST(Gguf, RefusesTruncatedData) {
    const GgufWriter writer = small_model();
    const std::string whole = writer.bytes();
    // The padding after the last tensor may be missing.
    const std::size_t end = whole.size() - 16;
    const std::size_t data =
        (writer.header().size() + writer.alignment - 1) / writer.alignment * writer.alignment;
    for (std::size_t length = data + 1; length < end; length += 5) {
        EXPECT_TRUE(says(refusal(whole.substr(0, length)), "truncated")) << length;
    }
    const TemporaryFile stored(whole.substr(0, end));
    EXPECT_TRUE(GgufFile::open(stored.path())->has_data());
}

TEST(Gguf, SurvivesCorruptionOfAnyHeaderByte) {
    // With any damaged byte, the file is read or refused.
    const std::string whole = small_model().bytes();
    const std::size_t header = small_model().header().size();
    for (std::size_t at = 0; at < header; ++at) {
        for (const char value : {'\0', '\x7f', '\xff'}) {
            std::string damaged = whole;
            damaged[at] = value;
            const TemporaryFile stored(damaged);
            try {
                const auto file = GgufFile::open(stored.path());
                for (std::size_t t = 0; t < file->tensors().size(); ++t) (void)file->data(t);
            } catch (const Error& error) {
                EXPECT_EQ(error.kind(), ErrorKind::bad_file);
            }
        }
    }
}

TEST(Gguf, OtherByteOrder) {
    GgufWriter writer;
    for (const std::uint32_t version : {0x02000000U, 0x03000000U}) {
        writer.version = version;
        EXPECT_TRUE(says(refusal(writer.bytes()), "big-endian"));
        EXPECT_TRUE(says(refusal(writer.bytes()), "byte 4")) << "where the version is";
    }
}

TEST(Gguf, WrongMagicAndVersions) {
    GgufWriter writer = small_model();
    writer.magic = "GGML";
    EXPECT_TRUE(says(refusal(writer.bytes()), "not a GGUF file"));
    writer = small_model();
    for (const std::uint32_t version : {0U, 1U, 4U, 0x03000001U}) {
        writer.version = version;
        EXPECT_TRUE(says(refusal(writer.bytes()), "version " + std::to_string(version)));
        EXPECT_TRUE(says(refusal(writer.bytes()), "byte 4"));
        const bool damaged = version == 0U || version > 255U;
        EXPECT_EQ(damaged, says(refusal(writer.bytes()), "the header is damaged"));
        EXPECT_EQ(!damaged, says(refusal(writer.bytes()), "convert the model to version 3"));
    }
}

TEST(Gguf, AbsurdCounts) {
    for (const std::int64_t extra : {std::int64_t{1} << 20, std::int64_t{1} << 62, std::int64_t{-100}}) {
        GgufWriter writer = small_model();
        writer.extra_tensors = extra;
        EXPECT_TRUE(says(refusal(writer.bytes()), "do not fit in the file"));
        writer = small_model();
        writer.extra_keys = extra;
        EXPECT_TRUE(says(refusal(writer.bytes()), "do not fit in the file"));
    }
}

TEST(Gguf, AbsurdLengthsOfStringsAndArrays) {
    const auto with_value = [](GgufType type, const std::string& bytes) {
        GgufWriter writer;
        writer.key("the.key", type, bytes);
        return writer.bytes();
    };
    const std::uint64_t huge = ~std::uint64_t{0};
    EXPECT_TRUE(says(refusal(with_value(GgufType::string, GgufWriter::bytes_of(huge))), "the.key"));
    for (const GgufType element : {GgufType::u32, GgufType::u64, GgufType::string, GgufType::array}) {
        for (const std::uint64_t count : {huge, std::uint64_t{1} << 61, std::uint64_t{1} << 32}) {
            refusal(with_value(GgufType::array, GgufWriter::array_head(element, count)));
        }
    }
}

TEST(Gguf, DeeplyNestedArrays) {
    std::string bytes;
    for (int depth = 0; depth < 100000; ++depth) bytes += GgufWriter::array_head(GgufType::array, 1);
    GgufWriter writer;
    writer.key("deep", GgufType::array, bytes);
    EXPECT_TRUE(says(refusal(writer.bytes()), "nested too deeply"));
}

TEST(Gguf, UnknownTypes) {
    GgufWriter writer = small_model();
    writer.key("odd", static_cast<GgufType>(13), "");
    EXPECT_TRUE(says(refusal(writer.bytes()), "unknown metadata type 13"));
    for (const std::uint32_t type : {4U, 5U, 999U}) {
        writer = small_model();
        writer.tensor_at("odd", {32}, type, 0);
        const std::string message = refusal(writer.bytes());
        EXPECT_TRUE(says(message, "unknown element type"));
        EXPECT_TRUE(says(message, "'odd'"));
    }
}

TEST(Gguf, WrongTensors) {
    const auto with_tensor = [](const std::vector<std::uint64_t>& ne, std::uint32_t type,
                                std::uint64_t offset) {
        GgufWriter writer = small_model();
        writer.tensor_at("odd", ne, type, offset);
        return refusal(writer.bytes());
    };
    EXPECT_TRUE(says(with_tensor({1, 1, 1, 1, 1}, 0, 0), "5 dimensions"));
    EXPECT_TRUE(
        says(with_tensor({std::uint64_t{1} << 40, std::uint64_t{1} << 40}, 0, 0), "too many elements"));
    EXPECT_TRUE(says(with_tensor({~std::uint64_t{0}}, 0, 0), "too many elements"));
    EXPECT_TRUE(says(with_tensor({0, std::uint64_t{1} << 62, 1 << 20}, 0, 0), "too many elements"))
        << "without elements";
    EXPECT_TRUE(says(with_tensor({33}, 2, 0), "not a multiple"));  // rows of q4_0 are multiples of 32
    EXPECT_TRUE(says(with_tensor({8}, 0, 4), "alignment"));
    EXPECT_TRUE(says(with_tensor({8}, 0, std::uint64_t{1} << 63), "out of range"));
    EXPECT_TRUE(says(with_tensor({8}, 0, ~std::uint64_t{31}), "out of range"));
}

TEST(Gguf, RefusesDuplicateNames) {
    GgufWriter writer = small_model();
    writer.number("test.block_count", 3);
    EXPECT_TRUE(says(refusal(writer.bytes()), "test.block_count"));
    writer = small_model();
    writer.tensor("first", {4});
    EXPECT_TRUE(says(refusal(writer.bytes()), "'first'"));
}

TEST(Gguf, AlignmentMustBeAPowerOfTwo) {
    for (const std::uint32_t alignment : {0U, 3U, 48U, 0x80000000U}) {
        GgufWriter writer = small_model();
        writer.number("general.alignment", alignment);
        EXPECT_TRUE(says(refusal(writer.bytes()), "general.alignment"));
    }
    GgufWriter writer;
    writer.alignment = 64;
    writer.number("general.alignment", 64).tensor("first", {4}).tensor("second", {4});
    const TemporaryFile stored(writer.bytes());
    const auto file = GgufFile::open(stored.path());
    EXPECT_EQ(file->alignment(), 64U);
    EXPECT_TRUE(file->has_data());
}

}  // namespace
}  // namespace splitscope
