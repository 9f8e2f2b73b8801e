// SPDX-License-Identifier: MIT
// Block types against the reference engine's encoding and decoding (golden/quants).
#include <cmath>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/tensor/quants/codec.hpp"
#include "tests/golden/golden_kind.hpp"
#include "tests/golden/op_vectors.hpp"

namespace splitscope {
namespace {

using nlohmann::json;

std::vector<float> floats_at(const std::vector<std::byte>& bytes, std::size_t offset, std::size_t n) {
    std::vector<float> values(n);
    std::memcpy(values.data(), bytes.data() + offset, n * sizeof(float));
    return values;
}

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// Σ(x−y)² / Σx².
double nmse(const std::vector<float>& y, const std::vector<float>& x) {
    double error = 0;
    double power = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        error += (double{x[i]} - y[i]) * (double{x[i]} - y[i]);
        power += double{x[i]} * x[i];
    }
    return error / power;
}

/// Types with an encoder that does not search: the bytes are determined.
bool has_one_encoding(const std::string& type) {
    for (const char* name : {"f16", "bf16", "q4_0", "q4_1", "q5_0", "q5_1", "q8_0", "q8_1", "q1_0", "q2_0",
                             "tq1_0", "tq2_0", "mxfp4"}) {
        if (type == name) return true;
    }
    return false;
}

class GoldenQuants : public testing::Test {
 protected:
    void SetUp() override {
        const auto found = golden::folder("quants");
        if (!found) GTEST_SKIP() << golden::absent("quants");
        folder_ = *found;
        std::ifstream text(folder_ / "quants.json");
        index_ = json::parse(text);
        n_ = index_.at("n").get<std::size_t>();
        input_ = floats_at(golden::read_bytes(folder_ / index_.at("input").get<std::string>()), 0, n_);
    }

    std::filesystem::path folder_;
    json index_;
    std::size_t n_ = 0;
    std::vector<float> input_;
};

TEST_F(GoldenQuants, DecodingIsExact) {
    golden::Score score;
    for (const json& j : index_.at("types")) {
        if (j.at("dequantised_offset").is_null()) continue;
        const std::string name = j.at("type");
        const ElementType type = element_type_named(name).value();
        const auto file = golden::read_bytes(folder_ / j.at("file").get<std::string>());
        const std::span<const std::byte> blocks{file.data() + j.at("bytes_offset").get<std::size_t>(),
                                                j.at("nbytes").get<std::size_t>()};
        const auto expected = floats_at(file, j.at("dequantised_offset"), n_);
        std::vector<float> decoded(n_);
        bool match = can_decode(type);
        if (match) {
            dequantise(type, blocks, decoded);
            match = same_bits(decoded, expected);
        }
        score.add(match);
        fmt::print("  decode {}: {}/1\n", name, match ? 1 : 0);
        EXPECT_TRUE(match) << name;
    }
    golden::report("quants decoded", score);
}

TEST_F(GoldenQuants, EncodingIsAsAccurate) {
    golden::Score score;
    for (const json& j : index_.at("types")) {
        const std::string name = j.at("type");
        const ElementType type = element_type_named(name).value();
        const auto file = golden::read_bytes(folder_ / j.at("file").get<std::string>());
        const std::size_t offset = j.at("bytes_offset");
        const std::size_t size = j.at("nbytes");
        std::vector<std::byte> encoded(size);
        bool match = can_encode(type) || can_encode_weighted(type);
        std::string how = "no encoder";
        if (match) {
            quantise(type, input_, std::vector<float>(256, 1.0F), encoded);
            match = std::memcmp(encoded.data(), file.data() + offset, size) == 0;
            how = match ? "same bytes" : "other bytes";
            if (!match && !has_one_encoding(name) && can_decode(type)) {
                std::vector<float> decoded(n_);
                dequantise(type, encoded, decoded);
                const double ours = nmse(decoded, input_);
                const double theirs = nmse(floats_at(file, j.at("dequantised_offset"), n_), input_);
                match = ours <= theirs * 1.01;
                how = fmt::format("NMSE {:.6g}, recorded {:.6g}", ours, theirs);
            }
        }
        score.add(match);
        fmt::print("  encode {}: {}/1 ({})\n", name, match ? 1 : 0, how);
        EXPECT_TRUE(match) << name << ": " << how;
    }
    golden::report("quants encoded", score);
}

}  // namespace
}  // namespace splitscope
