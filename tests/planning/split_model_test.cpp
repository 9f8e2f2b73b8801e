// SPDX-License-Identifier: MIT
// Models in several files are planned like one file.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/formats/machine_json.hpp"
#include "engine/models/model.hpp"
#include "engine/planning/plan_model.hpp"
#include "engine/session/model_placement.hpp"
#include "engine/session/session.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "tests/formats/gguf_writer.hpp"

namespace splitscope {
namespace {

using test::GgufWriter;

class SplitModel : public ::testing::Test {
 protected:
    SplitModel() { std::filesystem::create_directories(folder_); }
    ~SplitModel() override {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }

    std::filesystem::path write(const std::string& name, const GgufWriter& writer) const {
        const auto path = folder_ / name;
        const std::string bytes = writer.bytes();
        std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return path;
    }
    static GgufWriter part(std::uint32_t number, std::uint32_t count, std::uint32_t tensors) {
        GgufWriter writer;
        writer.text("general.architecture", "test")
            .number("split.no", number)
            .number("split.count", count)
            .number("split.tensors.count", tensors);
        return writer;
    }
    std::string refusal(const std::filesystem::path& path) const {
        try {
            GgufFile::open(path);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::bad_file);
            EXPECT_FALSE(error.remedy().empty());
            return error.what();
        }
        ADD_FAILURE() << "accepted";
        return {};
    }

    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() /
        ("splitscope-split-" + std::to_string(reinterpret_cast<std::uintptr_t>(this)) + "-" +
         std::to_string(std::filesystem::file_time_type::clock::now().time_since_epoch().count()));
};

TEST_F(SplitModel, CountsAllParts) {
    const auto first = write("m-00001-of-00003.gguf", part(0, 3, 3));
    write("m-00002-of-00003.gguf", part(1, 3, 3).tensor("a", {8}).tensor("b", {4}));
    write("m-00003-of-00003.gguf", part(2, 3, 3).tensor("c", {16}));
    const auto file = GgufFile::open(first);
    EXPECT_EQ(file->parts(), 3U);
    ASSERT_EQ(file->tensors().size(), 3U);
    EXPECT_TRUE(file->has_data()) << "the first part has no tensors and needs none";
    ASSERT_EQ(file->find_tensor("c"), 2U);
    EXPECT_EQ(file->tensors()[2].part, 2U);
    EXPECT_EQ(file->data(2).size(), 64U);
    const auto mapped = file->mapped_bytes(2);
    EXPECT_TRUE(file->data(2).data() >= mapped.data() &&
                file->data(2).data() + 64 <= mapped.data() + mapped.size());
    EXPECT_EQ(file->path_of(1).filename(), "m-00002-of-00003.gguf");
    file->require_readable();
}

TEST_F(SplitModel, NamesMissingParts) {
    const auto first = write("m-00001-of-00003.gguf", part(0, 3, 2).tensor("a", {8}));
    const auto third = write("m-00003-of-00003.gguf", part(2, 3, 2).tensor("b", {8}));
    EXPECT_NE(refusal(first).find("m-00002-of-00003.gguf: part 2 of 3 is missing"), std::string::npos);
    EXPECT_NE(refusal(third).find("open the first: m-00001-of-00003.gguf"), std::string::npos);
}

TEST_F(SplitModel, RefusesUnrelatedParts) {
    const auto first = write("m-00001-of-00002.gguf", part(0, 2, 2).tensor("a", {8}));
    write("m-00002-of-00002.gguf", part(1, 2, 2).tensor("a", {8}));
    EXPECT_NE(refusal(first).find("the tensor 'a' is also in an earlier part"), std::string::npos);
    write("m-00002-of-00002.gguf", part(1, 2, 2).tensor("b", {8}).tensor("c", {8}));
    EXPECT_NE(refusal(first).find("contain 3 tensors, but the metadata states 2"), std::string::npos);
    write("m-00002-of-00002.gguf", part(1, 3, 2).tensor("b", {8}));
    EXPECT_NE(refusal(first).find("part 2 of 2"), std::string::npos);
    const auto renamed = write("other.gguf", part(0, 2, 2).tensor("a", {8}));
    EXPECT_NE(refusal(renamed).find("rename it"), std::string::npos);
}

/// Switches of the recordings that affect weights and caches.
PlacementFlags recorded_flags(const std::string& text) {
    PlacementFlags flags;
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        words.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const auto number = [&] { return static_cast<std::uint32_t>(std::stoul(words.at(i + 1))); };
        if (word == "--no-mmap") flags.memory_map = false;
        if (word == "-c") flags.context = number();
        if (word == "-ngl") flags.gpu_layers = static_cast<std::int32_t>(number());
        if (word == "-ctk") flags.cache_type_k = *element_type_named(words.at(i + 1));
        if (word == "-ctv") flags.cache_type_v = *element_type_named(words.at(i + 1));
        if (word == "-np") flags.sequences = number();
        if (word == "-kvu") flags.unified_cache = true;
        if (word == "-nkvo") flags.kv_offload = false;
        if (word == "-fa")
            flags.flash_attention = words.at(i + 1) == "off" ? FlashAttention::off : FlashAttention::on;
    }
    return flags;
}

TEST(SplitGolden, WeightsAndCachesMatchTheEngine) {
    const std::filesystem::path folder = std::filesystem::path(SPLITSCOPE_GOLDEN_DIR) / "archs";
    if (!std::filesystem::is_directory(folder / "split")) GTEST_SKIP() << "no recordings of split models";
    const auto recorded = nlohmann::json::parse(read_text_file(folder / "split" / "llama-split.json"));
    const auto file = GgufFile::open(folder / "split" / "llama-split-00001-of-00002.gguf");
    const auto model = make_model(file);
    EXPECT_EQ(file->tensors().size(), 29U);
    EXPECT_FALSE(file->has_data());
    const Machine vulkan = parse_machine_json(read_text_file(folder / "vk.machine.json"), "vk.machine.json");
    std::size_t checked = 0;
    for (const auto& run : recorded["runs"]) {
        const std::string backends = run["backends"];
        if (backends != "cpu" && backends != "vk") continue;
        Machine machine = backends == "vk" ? vulkan : default_machine();
        PlacementFlags flags = recorded_flags(run["flags"]);
        if (backends == "cpu") flags.devices = {"none"};
        const ModelPlan plan =
            plan_model(*file, model.get(), hardware_of(machine, {}, nullptr), flags, Generation::g2026_08);
        std::uint64_t device_weights = 0;
        std::uint64_t host_weights = 0;
        std::uint64_t device_cache = 0;
        std::uint64_t host_cache = 0;
        for (const LayoutBuffer& buffer : plan.layout->buffers) {
            const bool host = buffer.owner == plan.layout->layers.cpu();
            const bool weights = buffer.purpose == BufferPurpose::weights;
            (weights ? host ? host_weights : device_weights
             : host  ? host_cache
                     : device_cache) += buffer.size;
        }
        std::uint64_t weights = 0;
        std::uint64_t cache = 0;
        for (const auto& [name, memory] : run["memory"].items()) {
            if (name == "Vulkan0") {
                EXPECT_EQ(device_weights, memory["model"]) << backends << " " << run["flags"];
                EXPECT_EQ(device_cache, memory["context"]) << backends << " " << run["flags"];
                continue;
            }
            weights += memory["model"].get<std::uint64_t>();
            cache += memory["context"].get<std::uint64_t>();
            // The slack of a pinned buffer, see the description of the recordings.
            if (name == "Vulkan_Host" && memory["model"] > 0) weights -= 32;
        }
        EXPECT_EQ(host_weights, weights) << backends << " " << run["flags"];
        EXPECT_EQ(host_cache, cache) << backends << " " << run["flags"];
        ++checked;
    }
    EXPECT_GT(checked, 20U);
}

}  // namespace
}  // namespace splitscope
