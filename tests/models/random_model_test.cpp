// SPDX-License-Identifier: MIT
#include "engine/models/random_model.hpp"

#include <cmath>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "engine/formats/gguf.hpp"
#include "engine/models/model.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/quants/codec.hpp"

namespace splitscope {
namespace {

RandomModelOptions small(ElementType type) {
    RandomModelOptions options;
    options.layers = 2;
    options.embedding = 256;
    options.heads = 4;
    options.kv_heads = 2;
    options.feed_forward = 512;
    options.vocabulary = 300;
    options.type = type;
    return options;
}

class RandomModelTest : public ::testing::Test {
 protected:
    void SetUp() override {
        const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
        path = std::filesystem::path(::testing::TempDir()) / (std::string(test->name()) + ".gguf");
    }
    void TearDown() override { std::filesystem::remove(path); }

    std::string content() const {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    ErrorKind kind_of(const RandomModelOptions& options, const JobContext& job = {}) const {
        try {
            write_random_model(path, options, job);
        } catch (const Error& error) {
            return error.kind();
        }
        ADD_FAILURE() << "nothing was thrown";
        return ErrorKind::internal;
    }

    std::filesystem::path path;
};

TEST_F(RandomModelTest, OpensWithItsShape) {
    for (const ElementType type :
         {ElementType::f32, ElementType::f16, ElementType::q8_0, ElementType::q4_K}) {
        write_random_model(path, small(type));
        const auto model = make_model(GgufFile::open(path));
        EXPECT_EQ(model->shape().layers, 2U);
        EXPECT_EQ(model->shape().embedding, 256U);
        EXPECT_EQ(model->shape().kv_heads, 2U);
        EXPECT_EQ(model->shape().vocabulary, 300U);
        EXPECT_EQ(model->why_not_runnable(), std::nullopt) << name_of(type);
        EXPECT_EQ(model->file().tensors().size(), 3U + 2U * 9U);
    }
}

TEST_F(RandomModelTest, WeightVarianceFollowsDepth) {
    write_random_model(path, small(ElementType::f32));
    const auto file = GgufFile::open(path);
    for (std::size_t i = 0; i < file->tensors().size(); ++i) {
        if (!file->tensors()[i].name.ends_with("ffn_down.weight")) continue;
        const auto bytes = file->data(i);
        std::vector<float> values(bytes.size() / sizeof(float));
        dequantise(ElementType::f32, bytes, values);
        double squares = 0;
        for (const float value : values) squares += static_cast<double>(value) * static_cast<double>(value);
        EXPECT_NEAR(squares / static_cast<double>(values.size()) * 512, 1.0, 0.05);
    }
}

TEST_F(RandomModelTest, SameSeedGivesTheSameBytes) {
    write_random_model(path, small(ElementType::q4_0));
    const std::string first = content();
    write_random_model(path, small(ElementType::q4_0));
    EXPECT_EQ(content(), first);
    RandomModelOptions other = small(ElementType::q4_0);
    other.seed = 7;
    write_random_model(path, other);
    EXPECT_EQ(content().size(), first.size());
    EXPECT_NE(content(), first);
}

TEST_F(RandomModelTest, RefusesInvalidShapes) {
    RandomModelOptions options = small(ElementType::q4_0);
    options.heads = 3;
    EXPECT_EQ(kind_of(options), ErrorKind::usage);
    options = small(ElementType::q4_0);
    options.kv_heads = 3;
    EXPECT_EQ(kind_of(options), ErrorKind::usage);
    options = small(ElementType::q4_K);
    options.feed_forward = 320;
    EXPECT_EQ(kind_of(options), ErrorKind::usage);
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(RandomModelTest, StoppingLeavesNoFile) {
    std::ofstream(path) << "what was there";
    std::stop_source stop;
    stop.request_stop();
    RandomModelOptions options = small(ElementType::f32);
    EXPECT_THROW(write_random_model(path, options, JobContext(stop.get_token())), Cancelled);
    EXPECT_EQ(content(), "what was there");
    EXPECT_FALSE(std::filesystem::exists(path.string() + ".part"));
}

}  // namespace
}  // namespace splitscope
