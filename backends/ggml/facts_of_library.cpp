// SPDX-License-Identifier: MIT
#include "backends/ggml/facts_of_library.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include <dlfcn.h>

#include "backends/ggml/host_error.hpp"
#include "backends/ggml/messages.hpp"

namespace splitscope::ggml {
namespace {

/// Upper bound for tables of names.
constexpr int kMaxNames = 256;

/// The loaded object that contains an address.
const void* object_of(const void* address) {
    Dl_info info{};
    return ::dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

/// Operation names are a table without a terminator: it ends before the first entry that is not text of the
/// same library.
std::vector<std::string> names_from(const char* (*name_of)(int)) {
    std::vector<std::string> names;
    const void* const own = object_of(reinterpret_cast<const void*>(name_of));
    for (int i = 0; i < kMaxNames; ++i) {
        const char* const name = name_of(i);
        if (name == nullptr || object_of(name) != own) break;
        const std::string_view text(name);
        const bool upper = std::ranges::all_of(
            text, [](unsigned char c) { return std::isupper(c) != 0 || std::isdigit(c) != 0 || c == '_'; });
        if (text.empty() || !upper) break;
        names.emplace_back(text);
    }
    return names;
}

/// Type numbers have gaps, and their table has no terminator: it ends before the first entry that is not text
/// of the same library.
std::vector<std::string> type_names(const Library& library) {
    constexpr int kMaxTypes = 64;
    std::vector<std::string> names;
    const void* const own = object_of(reinterpret_cast<const void*>(library.type_name));
    for (int i = 0; i < kMaxTypes; ++i) {
        const char* const name = library.type_name(i);
        if (name != nullptr && object_of(name) != own) break;
        const std::string_view text = name == nullptr ? "" : name;
        if (!std::ranges::all_of(text, [](unsigned char c) { return std::isprint(c) != 0; })) break;
        names.emplace_back(text);
    }
    return names;
}

struct Abilities {
    bool async, host_buffer, from_host_memory, events;
};

/// A newer version of the struct has an additional member before the capabilities.
struct Properties {
    Abilities abilities;
    bool of_2025;
};
Properties properties_of(const Library& library, Library::Device device) {
    constexpr std::size_t kRoom = 256;
    constexpr char kUntouched = 0x5a;
    constexpr std::size_t kOld = 36;
    constexpr std::size_t kNew = 48;
    alignas(16) std::array<char, kRoom> bytes;
    bytes.fill(kUntouched);
    library.dev_get_props(device, bytes.data());
    const bool is_new = bytes[kNew] != kUntouched;
    const std::size_t at = is_new ? kNew : kOld;
    return {{bytes[at] != 0, bytes[at + 1] != 0, bytes[at + 2] != 0, bytes[at + 3] != 0}, is_new};
}

DeviceType device_type(int number, bool of_2025) {
    if (number == 2) return of_2025 ? DeviceType::integrated : DeviceType::accel;
    if (number == 3 && of_2025) return DeviceType::accel;
    if (number < 0 || number > 1) return DeviceType::other;
    return static_cast<DeviceType>(number);
}

/// Tensors without memory, for queries.
class Drafts {
 public:
    explicit Drafts(const Library& library)
        : library_(library), context_(library.init({library.tensor_overhead() * 8, nullptr, true})) {
        if (context_ == nullptr) throw HostError(msg::kEngineCallFailed("ggml_init"));
    }
    ~Drafts() { library_.free(context_); }
    Drafts(const Drafts&) = delete;
    Drafts& operator=(const Drafts&) = delete;

    Library::Tensor tensor(int type, std::int64_t columns, std::int64_t rows) {
        return library_.new_tensor(context_, type, columns, rows, 1, 1);
    }
    const Library& library() const { return library_; }

 private:
    const Library& library_;
    Library::Context context_;
};

int number_of(const std::vector<std::string>& names, std::string_view name) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? -1 : static_cast<int>(found - names.begin());
}

/// The minimum batch size for which the device offloads a product.
std::uint64_t offload_batch(const Library& library, Library::Device device, const EngineFacts& facts) {
    constexpr std::int64_t kColumns = 256;
    constexpr std::int64_t kMax = 1024;
    const int f16 = type_named(facts, "f16");
    const int f32 = type_named(facts, "f32");
    const int product = number_of(facts.ops, "MUL_MAT");
    if (f16 < 0 || f32 < 0 || product < 0) return 0;
    const auto takes = [&](std::int64_t rows) {
        Drafts drafts(library);
        const Library::Tensor weights = drafts.tensor(f16, kColumns, kColumns);
        const Library::Tensor x = drafts.tensor(f32, kColumns, rows);
        const Library::Tensor result = drafts.tensor(f32, kColumns, rows);
        library.set(result, recorder::TensorLayout::kOperation, product);
        library.set(result, library.layout.sources, weights);
        library.set(result, library.layout.sources + sizeof(void*), x);
        return library.dev_offload_op(device, result);
    };
    if (!takes(kMax)) return 0;
    std::int64_t refused = 0;
    std::int64_t taken = kMax;
    while (taken - refused > 1) {
        const std::int64_t middle = (refused + taken) / 2;
        (takes(middle) ? taken : refused) = middle;
    }
    return static_cast<std::uint64_t>(taken);
}

std::uint64_t bytes_beyond(const Library& library, Library::BufferType type, int element,
                           std::int64_t columns) {
    Drafts drafts(library);
    const Library::Tensor t = drafts.tensor(element, columns, 1);
    return library.buft_alloc_size(type, t) - library.nbytes(t);
}

/// The padding of rows of quantised tensors, in elements.
std::uint32_t row_pad(const Library& library, Library::BufferType type, const EngineFacts& facts) {
    const int q4 = type_named(facts, "q4_0");
    if (q4 < 0) return 0;
    const std::int64_t block = library.block_size(q4);
    const std::uint64_t more = bytes_beyond(library, type, q4, block);
    const std::uint64_t blocks = more / library.type_size(q4);
    if (blocks == 0) return 0;
    const std::int64_t pad = block * static_cast<std::int64_t>(1 + blocks);
    return bytes_beyond(library, type, q4, pad) == 0 ? static_cast<std::uint32_t>(pad) : 0;
}

std::uint64_t alloc_pad(const Library& library, Library::BufferType type, const EngineFacts& facts) {
    const int f32 = type_named(facts, "f32");
    const std::uint64_t more = f32 < 0 ? 0 : bytes_beyond(library, type, f32, 1);
    return more == 0 ? 0 : more + sizeof(float);
}

std::string text_of(const char* text) {
    return text == nullptr ? std::string() : std::string(text);
}

class Listing {
 public:
    Listing(const Library& library, const std::vector<AddedServer>& servers)
        : library_(library), servers_(servers) {}

    KnownLibrary take() {
        EngineFacts& facts = known_.facts;
        if (library_.version != nullptr) facts.version = text_of(library_.version());
        if (library_.commit != nullptr) facts.commit = text_of(library_.commit());
        facts.ops = names_from(library_.op_name);
        facts.types = type_names(library_);
        facts.unaries = names_from(library_.unary_op_name);
        if (library_.glu_op_name != nullptr) facts.glus = names_from(library_.glu_op_name);
        for (std::size_t i = 0; i < library_.dev_count(); ++i) add(library_.dev_get(i));
        for (std::size_t d = 0; d < known_.devices.size(); ++d) {
            for (const Library::BufferType type : known_.buffer_types)
                facts.devices[d].reads.push_back(library_.dev_supports_buft(known_.devices[d], type));
        }
        return std::move(known_);
    }

 private:
    std::uint32_t index_of(Library::BufferType type) {
        auto& types = known_.buffer_types;
        const auto found = std::ranges::find(types, type);
        if (found != types.end()) return static_cast<std::uint32_t>(found - types.begin());
        types.push_back(type);
        known_.facts.buffer_types.push_back({text_of(library_.buft_name(type)), library_.buft_alignment(type),
                                             library_.buft_max_size(type), library_.buft_is_host(type)});
        return static_cast<std::uint32_t>(types.size() - 1);
    }

    void add(Library::Device device) {
        DeviceFacts facts;
        const Properties properties = properties_of(library_, device);
        facts.name = text_of(library_.dev_name(device));
        facts.description = text_of(library_.dev_description(device));
        facts.registry = text_of(library_.registry_name(library_.dev_registry(device)));
        for (const AddedServer& server : servers_)
            if (known_.devices.size() >= server.first_device) facts.server = server.name;
        facts.type = device_type(library_.dev_type(device), properties.of_2025);
        std::size_t free = 0;
        std::size_t total = 0;
        library_.dev_memory(device, &free, &total);
        facts.memory_free = free;
        facts.memory_total = total;
        facts.async = properties.abilities.async;
        facts.host_buffer = properties.abilities.host_buffer;
        facts.from_host_memory =
            properties.abilities.from_host_memory && library_.dev_buffer_from_host_ptr != nullptr;
        facts.events = properties.abilities.events;
        const Library::BufferType own = library_.dev_buffer_type(device);
        facts.buffer_type = index_of(own);
        if (const Library::BufferType host = library_.dev_host_buffer_type(device))
            facts.host_buffer_type = static_cast<std::int32_t>(index_of(host));
        facts.offload_batch = offload_batch(library_, device, known_.facts);
        facts.row_pad = row_pad(library_, own, known_.facts);
        facts.alloc_pad = alloc_pad(library_, own, known_.facts);
        known_.devices.push_back(device);
        known_.facts.devices.push_back(std::move(facts));
    }

    const Library& library_;
    const std::vector<AddedServer>& servers_;
    KnownLibrary known_;
};

}  // namespace

int type_named(const EngineFacts& facts, std::string_view name) {
    return number_of(facts.types, name);
}

KnownLibrary facts_of(const Library& library, const std::vector<AddedServer>& servers) {
    return Listing(library, servers).take();
}

}  // namespace splitscope::ggml
