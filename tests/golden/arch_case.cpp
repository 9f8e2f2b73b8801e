// SPDX-License-Identifier: MIT
#include "tests/golden/arch_case.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/formats/machine_json.hpp"
#include "engine/messages/render.hpp"
#include "engine/support/checked.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "engine/tensor/shape.hpp"
#include "tests/golden/golden_kind.hpp"
#include "tests/golden/unpacked.hpp"

namespace splitscope::golden {

using nlohmann::json;

namespace {

/// The recorded driver refuses larger tensors.
constexpr std::uint64_t kLargestStorageBuffer = std::uint64_t{1} << 27;

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

/// Number `i` of tensor `t`: the recipe in make_weights.py.
float weight_of(std::uint64_t seed, std::uint64_t t, std::uint64_t i, float a, float b) {
    std::uint64_t z = seed + (t << 32U) + i + 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    z ^= z >> 31U;
    const double u = static_cast<double>(z >> 40U) / 8388608.0 - 1.0;
    const auto product = static_cast<float>(static_cast<double>(b) * u);
    return a + product;
}

/// Rounds to nearest even, like the CPU.
std::uint16_t half_of(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>((bits >> 16U) & 0x8000U);
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    if (magnitude < 0x38800000U) {
        // Below the smallest normal number: multiples of 2^-24.
        const float scaled = std::bit_cast<float>(magnitude) * 16777216.0F;
        return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(std::lrint(scaled)));
    }
    const std::uint32_t rounded = magnitude + 0xFFFU + ((magnitude >> 13U) & 1U);
    return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>((rounded - 0x38000000U) >> 13U));
}

}  // namespace

ArchCase::ArchCase(const std::filesystem::path& path)
    : path_(path), name_(path.stem().string()), document_(json::parse(read_text_file(path))) {
    runs_ = document_.at("runs").get<std::vector<json>>();
    const std::string first =
        document_.contains("parts") ? document_["parts"][0].at("file") : document_.at("file");
    file_ = GgufFile::open(path.parent_path() / first);
    try {
        model_ = make_model(file_);
    } catch (const Error& error) {
        why_no_model_ = english(error.problem());
    }
}

std::optional<SchedulerLog> ArchCase::log(const std::string& kind) const {
    const auto path = path_.parent_path() / fmt::format("{}.{}.log.xz", name_, kind);
    if (!std::filesystem::exists(path)) return std::nullopt;
    return parse_scheduler_log(unpacked(path));
}

test::TemporaryFile ArchCase::with_weights() const {
    const auto header = file_->mapped_bytes();
    std::string bytes(reinterpret_cast<const char*>(header.data()), header.size());
    const std::size_t start = bytes.size();
    const std::uint64_t seed = document_.at("weights").at("seed");
    const json& ab = document_.at("weights").at("ab");
    for (std::size_t t = 0; t < file_->tensors().size(); ++t) {
        const GgufTensor& tensor = file_->tensors()[t];
        bytes.resize(start + tensor.offset + round_up(tensor.bytes, std::uint64_t{32}));
        char* to = bytes.data() + start + tensor.offset;
        const bool half = tensor.type == ElementType::f16;
        if (!half && tensor.type != ElementType::f32)
            throw std::runtime_error(fmt::format("{}: the recipe has no numbers of this type", tensor.name));
        const std::size_t size = half ? 2 : 4;
        const float a = ab[t][0];
        const float b = ab[t][1];
        for (std::uint64_t i = 0; i < tensor.bytes / size; ++i) {
            const float value = weight_of(seed, t, i, a, b);
            if (half) {
                const std::uint16_t stored = half_of(value);
                std::memcpy(to + i * size, &stored, size);
            } else {
                std::memcpy(to + i * size, &value, size);
            }
        }
    }
    return test::TemporaryFile(bytes);
}

std::vector<std::vector<float>> ArchCase::rows(const json& number) const {
    const std::size_t columns = number.at("cols");
    std::vector<std::vector<float>> rows(number.at("rows").get<std::size_t>(), std::vector<float>(columns));
    std::ifstream file(path_.parent_path() / (name_ + ".logits.bin"), std::ios::binary);
    file.seekg(number.at("offset").get<std::streamoff>());
    for (auto& row : rows) {
        file.read(reinterpret_cast<char*>(row.data()), static_cast<std::streamsize>(columns * sizeof(float)));
    }
    if (!file) throw std::runtime_error(fmt::format("{}: the recorded numbers end early", name_));
    return rows;
}

std::map<std::string, std::filesystem::path> arch_cases() {
    std::map<std::string, std::filesystem::path> cases;
    const auto archs = folder("archs");
    if (!archs) return cases;
    for (const char* below : {"", "shapes", "split"}) {
        const auto place = *archs / below;
        if (!std::filesystem::is_directory(place)) continue;
        for (const auto& entry : std::filesystem::directory_iterator(place)) {
            const auto& path = entry.path();
            if (path.extension() != ".json" || path.filename() == "index.json" ||
                path.stem().extension() == ".machine")
                continue;
            const std::string stem = path.stem().string();
            cases.emplace(*below == '\0' ? stem : fmt::format("{}/{}", below, stem), path);
        }
    }
    return cases;
}

Hardware recorded_hardware(const std::string& backends) {
    Hardware hardware;
    Machine& machine = hardware.machine;
    machine.name = backends;
    const std::size_t devices = backends == "vk2" ? 2 : backends == "vk" ? 1 : 0;
    constexpr std::uint64_t limit = std::uint64_t{1} << 30;
    for (std::size_t d = 0; d < devices; ++d) {
        machine.buffer_types.push_back(
            {.name = fmt::format("Vulkan{}", d), .alignment = 16, .max_size = limit});
        MachineBackend device;
        device.name = machine.buffer_types.back().name;
        device.device = DeviceKind::gpu;
        device.buffer_type = BufferTypeId(d);
        device.supports_buffer_types = {BufferTypeId(d)};
        device.offload_min_batch = 32;
        device.offload_rule = OffloadRule::g2026_08;
        device.async = device.events = true;
        device.max_tensor = kLargestStorageBuffer;
        device.scan_states = {128, 256};
        device.equal_batches = device.contiguous_blocks = device.half_experts = device.unmixed_bf16 = true;
        device.residual_streams = 4;
        device.unsupported_ops = {"DSV4_HC_COMB"};
        machine.backends.push_back(std::move(device));
    }
    MachineBackend cpu;
    cpu.name = "CPU";
    cpu.buffer_type = BufferTypeId(devices);
    cpu.supports_buffer_types = {cpu.buffer_type};
    machine.buffer_types.push_back(
        {.name = "CPU", .alignment = 32, .max_size = std::nullopt, .is_host = true});
    if (devices > 0) {
        hardware.pinned_type = BufferTypeId(devices + 1);
        cpu.supports_buffer_types.push_back(hardware.pinned_type);
        machine.buffer_types.push_back(
            {.name = std::string(kPinnedType), .alignment = 64, .max_size = limit, .is_host = true});
    }
    // Types interleaved by the recording processor.
    hardware.repack_type = BufferTypeId(machine.buffer_types.size());
    cpu.supports_buffer_types.push_back(hardware.repack_type);
    machine.buffer_types.push_back(
        {.name = "CPU_REPACK", .alignment = 32, .max_size = std::nullopt, .is_host = false});
    for (const char* type : {"q4_0", "q4_K", "q2_K", "iq4_nl", "mxfp4"})
        hardware.repacked_types.insert(element_type_named(type).value());
    machine.backends.push_back(std::move(cpu));
    return hardware;
}

PlacementFlags recorded_flags(const std::string& backends, const std::string& text) {
    PlacementFlags flags;
    if (backends == "cpu") flags.devices = {"none"};
    const auto words = words_of(text);
    bool all_experts = false;
    std::uint32_t expert_blocks = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const auto value = [&]() -> const std::string& { return words.at(++i); };
        const auto number = [&] { return static_cast<std::uint32_t>(std::stoul(value())); };
        if (word == "--no-mmap") {
            flags.memory_map = false;
        } else if (word == "-c") {
            flags.context = number();
        } else if (word == "-b") {
            flags.batch = number();
        } else if (word == "-ub") {
            flags.micro_batch = number();
        } else if (word == "-ngl") {
            flags.gpu_layers = static_cast<std::int32_t>(number());
        } else if (word == "-ctk") {
            flags.cache_type_k = element_type_named(value()).value();
        } else if (word == "-ctv") {
            flags.cache_type_v = element_type_named(value()).value();
        } else if (word == "-np") {
            flags.sequences = number();
        } else if (word == "-kvu") {
            flags.unified_cache = true;
        } else if (word == "-nkvo") {
            flags.kv_offload = false;
        } else if (word == "-nopo") {
            flags.op_offload = false;
        } else if (word == "--swa-full") {
            flags.full_window_cache = true;
        } else if (word == "--embeddings") {
            flags.embeddings = true;
        } else if (word == "-cmoe") {
            all_experts = true;
        } else if (word == "-ncmoe") {
            expert_blocks = number();
        } else if (word == "-fa") {
            flags.flash_attention = value() == "off" ? FlashAttention::off : FlashAttention::on;
        } else if (word == "-ts") {
            std::istringstream shares(value());
            for (std::string share; std::getline(shares, share, ',');)
                flags.tensor_split.push_back(std::stof(share));
        } else {
            throw std::runtime_error(fmt::format("{}: unknown switch of a recording", word));
        }
    }
    add_cpu_experts(flags.overrides, all_experts, expert_blocks);
    return flags;
}

TypeMemory memory_of(const ModelLayout& layout, bool allocated) {
    TypeMemory memory;
    for (const LayoutBuffer& buffer : layout.buffers) {
        const std::string& type = layout.machine.buffer_types[buffer.type.index()].name;
        TypeBytes& column = buffer.purpose == BufferPurpose::weights ? memory.weights : memory.caches;
        if (buffer.size == 0) continue;
        column[type] += buffer.size + (allocated && type == kPinnedType ? kPinnedSlack : 0);
    }
    return memory;
}

TypeBytes recorded_memory(const json& memory, const std::string& column) {
    TypeBytes bytes;
    for (const auto& [type, columns] : memory.items())
        if (const std::uint64_t n = columns.at(column); n > 0) bytes[type] = n;
    return bytes;
}

std::string text_of(const TypeBytes& bytes) {
    std::string text;
    for (const auto& [type, n] : bytes) text += fmt::format(" {} {}", type, n);
    return text.empty() ? " nothing" : text;
}

}  // namespace splitscope::golden
