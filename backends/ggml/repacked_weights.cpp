// SPDX-License-Identifier: MIT
#include "backends/ggml/repacked_weights.hpp"

#include <algorithm>

#include <sys/stat.h>

#include "backends/ggml/host_error.hpp"
#include "backends/ggml/messages.hpp"

namespace splitscope::ggml {
namespace {

using Layout = recorder::TensorLayout;

constexpr int kWeights = 1;  ///< a buffer's usage

}  // namespace

FileIdentity FileIdentity::of(int descriptor) {
    struct stat facts {};
    if (::fstat(descriptor, &facts) != 0) return {};
    constexpr std::int64_t kNanoseconds = 1'000'000'000;
    return {facts.st_dev, facts.st_ino, facts.st_mtim.tv_sec * kNanoseconds + facts.st_mtim.tv_nsec,
            static_cast<std::uint64_t>(facts.st_size)};
}

RepackedWeights::~RepackedWeights() {
    for (const auto& [key, buffer] : kept_) library_.buffer_free(buffer);
    for (const auto& [type, buffer] : drafts_)
        if (buffer != nullptr) library_.buffer_free(buffer);
}

void RepackedWeights::keep_only(const std::vector<FileIdentity>& files) {
    std::erase_if(kept_, [&](const auto& entry) {
        if (std::ranges::find(files, entry.first.file) != files.end()) return false;
        library_.buffer_free(entry.second);
        return true;
    });
}

const std::vector<Library::BufferType>& RepackedWeights::others(Library::Device device) {
    const auto [known, inserted] = others_.try_emplace(device);
    if (!inserted) return known->second;
    using Function = Library::BufferType* (*)(Library::Device);
    const auto list = reinterpret_cast<Function>(
        library_.registry_function(library_.dev_registry(device), "ggml_backend_dev_get_extra_bufts"));
    if (list == nullptr) return known->second;
    for (Library::BufferType* type = list(device); type != nullptr && *type != nullptr; ++type)
        known->second.push_back(*type);
    return known->second;
}

/// A buffer without memory.
Library::Buffer RepackedWeights::draft(Library::BufferType type) {
    const auto [known, inserted] = drafts_.try_emplace(type);
    if (inserted) known->second = library_.buft_alloc(type, 0);
    return known->second;
}

void RepackedWeights::place(Library::Device device, const Weight& weight) {
    const auto buffer = library_.get<Library::Buffer>(weight.tensor, Layout::kBuffer);
    for (const Library::BufferType type : others(device)) {
        const Library::Buffer empty = draft(type);
        if (empty == nullptr) continue;
        library_.set(weight.tensor, Layout::kBuffer, empty);
        const bool fits = std::ranges::all_of(
            weight.readers, [&](Library::Tensor reader) { return library_.dev_supports_op(device, reader); });
        library_.set(weight.tensor, Layout::kBuffer, buffer);
        if (fits && move(weight, type)) return;
    }
}

bool RepackedWeights::move(const Weight& weight, Library::BufferType type) {
    const Library& l = library_;
    const Library::Tensor t = weight.tensor;
    const Key key{weight.file, weight.offset, l.get<std::int32_t>(t, Layout::kType),
                  l.get<std::array<std::int64_t, 4>>(t, Layout::kElements), type};
    const auto known = kept_.find(key);
    const auto values = l.get<const void*>(t, l.data_offset);
    const Library::Buffer buffer =
        known != kept_.end() ? known->second : l.buft_alloc(type, l.buft_alloc_size(type, t));
    if (buffer == nullptr) return false;
    l.set(t, Layout::kBuffer, buffer);
    l.set(t, l.data_offset, l.buffer_base(buffer));
    if (l.buffer_init_tensor(buffer, t) != 0)
        throw HostError(msg::kEngineCallFailed("ggml_backend_buffer_init_tensor"));
    if (known != kept_.end()) return true;
    kept_.emplace(key, buffer);
    l.buffer_set_usage(buffer, kWeights);
    l.tensor_set(t, values, 0, l.nbytes(t));
    return true;
}

}  // namespace splitscope::ggml
