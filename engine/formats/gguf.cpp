// SPDX-License-Identifier: MIT
#include "engine/formats/gguf.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "engine/support/checked.hpp"
#include "engine/support/error.hpp"
#include "engine/support/mapping_guard.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

static_assert(std::endian::native == std::endian::little,
              "GGUF files are read in place and are little-endian");

constexpr std::uint64_t kMaxStringBytes = std::uint64_t{1} << 24;
constexpr std::uint64_t kMaxKeyBytes = 65535;
constexpr std::uint64_t kMaxAlignment = std::uint64_t{1} << 20;
/// Of a tensor; what is made of its shape later still fits 64 bits.
constexpr std::uint64_t kMostElements = std::uint64_t{1} << 48;
constexpr int kMaxArrayDepth = 4;

/// Type numbers of metadata values in the file.
enum class ValueType : std::uint32_t {
    u8 = 0,
    i8 = 1,
    u16 = 2,
    i16 = 3,
    u32 = 4,
    i32 = 5,
    f32 = 6,
    boolean = 7,
    string = 8,
    array = 9,
    u64 = 10,
    i64 = 11,
    f64 = 12,
};

/// Reads little-endian values and says where in the file something is wrong.
class Reader {
 public:
    Reader(std::span<const std::byte> bytes, const std::filesystem::path& path, MemoryBound bound)
        : bytes_(bytes), path_(path), bound_(bound) {}

    /// Notes memory that reading is about to take; refuses more than the bound for opening files.
    void charge(std::uint64_t count, std::uint64_t each) {
        if (bound_.is_lifted()) return;
        const std::uint64_t bound = bound_.of_file(bytes_.size());
        if (count > bound || count * each > bound - spent_) {
            throw beyond_memory_bound(
                fmt::format("its description would take more than {} MiB of memory", bound >> 20),
                fmt::format("{}: byte {}", path_.string(), at_));
        }
        spent_ += count * each;
    }

    std::uint64_t at() const { return at_; }
    std::uint64_t remaining() const { return bytes_.size() - at_; }

    [[noreturn]] void refuse(std::string what, std::string remedy, std::string_view key = {}) const {
        std::string place = fmt::format("{}: byte {}", path_.string(), at_);
        if (!key.empty()) place += fmt::format(", '{}'", key);
        throw Error(ErrorKind::bad_file, std::move(what), std::move(place), std::move(remedy));
    }
    void require(std::uint64_t bytes, std::string_view what) const {
        if (bytes > remaining()) {
            refuse(
                fmt::format("the file ends inside {} ({} bytes wanted, {} left)", what, bytes, remaining()),
                "download or convert the file again");
        }
    }
    template <class T>
    T number(std::string_view what) {
        require(sizeof(T), what);
        T value{};
        std::memcpy(&value, bytes_.data() + at_, sizeof(T));
        at_ += sizeof(T);
        return value;
    }
    std::string text(std::uint64_t most, std::string_view what) {
        const auto length = number<std::uint64_t>(what);
        if (length > most) {
            refuse(fmt::format("{} of {} bytes is longer than the limit of {}", what, length, most),
                   "the file is damaged: download or convert it again");
        }
        require(length, what);
        constexpr std::uint64_t kInside = 15;  // shorter ones need no memory of their own
        if (length > kInside) charge(1, length + sizeof(std::max_align_t));
        std::string value(reinterpret_cast<const char*>(bytes_.data() + at_), length);
        at_ += length;
        return value;
    }
    template <class T>
    std::vector<T> numbers(std::uint64_t count, std::string_view what) {
        const auto bytes = checked_mul<std::uint64_t>(count, sizeof(T));
        if (!bytes) refuse(fmt::format("{} has an absurd count of {}", what, count), "the file is damaged");
        require(*bytes, what);
        charge(*bytes, 1);
        std::vector<T> values(count);
        if (count > 0) std::memcpy(values.data(), bytes_.data() + at_, *bytes);
        at_ += *bytes;
        return values;
    }

 private:
    std::span<const std::byte> bytes_;
    const std::filesystem::path& path_;
    MemoryBound bound_;
    std::uint64_t at_ = 0;
    std::uint64_t spent_ = 0;
};

/// What an entry of an index by name takes besides the entry itself.
constexpr std::uint64_t kIndexEntry = 64;

ValueType value_type(Reader& reader, std::string_view key) {
    const auto number = reader.number<std::uint32_t>("a value type");
    if (number > static_cast<std::uint32_t>(ValueType::f64)) {
        reader.refuse(fmt::format("unknown metadata type {}", number), "use a file of GGUF version 2 or 3",
                      key);
    }
    return static_cast<ValueType>(number);
}

std::shared_ptr<const GgufArray> read_array(Reader& reader, const std::string& key, int depth) {
    if (depth > kMaxArrayDepth) reader.refuse("arrays are nested too deeply", "flatten the metadata", key);
    const ValueType type = value_type(reader, key);
    const auto count = reader.number<std::uint64_t>("an array length");
    auto array = std::make_shared<GgufArray>();
    switch (type) {
        case ValueType::u8:
            array->values = reader.numbers<std::uint8_t>(count, key);
            break;
        case ValueType::i8:
            array->values = reader.numbers<std::int8_t>(count, key);
            break;
        case ValueType::u16:
            array->values = reader.numbers<std::uint16_t>(count, key);
            break;
        case ValueType::i16:
            array->values = reader.numbers<std::int16_t>(count, key);
            break;
        case ValueType::u32:
            array->values = reader.numbers<std::uint32_t>(count, key);
            break;
        case ValueType::i32:
            array->values = reader.numbers<std::int32_t>(count, key);
            break;
        case ValueType::u64:
            array->values = reader.numbers<std::uint64_t>(count, key);
            break;
        case ValueType::i64:
            array->values = reader.numbers<std::int64_t>(count, key);
            break;
        case ValueType::f32:
            array->values = reader.numbers<float>(count, key);
            break;
        case ValueType::f64:
            array->values = reader.numbers<double>(count, key);
            break;
        case ValueType::boolean: {
            const auto bytes = reader.numbers<std::uint8_t>(count, key);
            array->values = std::vector<bool>(bytes.begin(), bytes.end());
            break;
        }
        case ValueType::string: {
            // A string takes at least its length field, so the count cannot exceed what is left.
            if (count > reader.remaining() / sizeof(std::uint64_t)) {
                reader.refuse(fmt::format("an array of {} strings does not fit the file", count),
                              "the file is damaged", key);
            }
            reader.charge(count, sizeof(std::string));
            std::vector<std::string> texts;
            texts.reserve(count);
            for (std::uint64_t i = 0; i < count; ++i) texts.push_back(reader.text(kMaxStringBytes, key));
            array->values = std::move(texts);
            break;
        }
        case ValueType::array: {
            if (count > reader.remaining() / sizeof(std::uint64_t)) {
                reader.refuse(fmt::format("an array of {} arrays does not fit the file", count),
                              "the file is damaged", key);
            }
            constexpr std::uint64_t kSharedCount = 32;
            reader.charge(count, sizeof(GgufArray) + sizeof(std::shared_ptr<const GgufArray>) + kSharedCount);
            std::vector<std::shared_ptr<const GgufArray>> arrays;
            arrays.reserve(count);
            for (std::uint64_t i = 0; i < count; ++i) arrays.push_back(read_array(reader, key, depth + 1));
            array->values = std::move(arrays);
            break;
        }
    }
    return array;
}

GgufValue read_value(Reader& reader, const std::string& key) {
    switch (value_type(reader, key)) {
        case ValueType::u8:
            return reader.number<std::uint8_t>(key);
        case ValueType::i8:
            return reader.number<std::int8_t>(key);
        case ValueType::u16:
            return reader.number<std::uint16_t>(key);
        case ValueType::i16:
            return reader.number<std::int16_t>(key);
        case ValueType::u32:
            return reader.number<std::uint32_t>(key);
        case ValueType::i32:
            return reader.number<std::int32_t>(key);
        case ValueType::u64:
            return reader.number<std::uint64_t>(key);
        case ValueType::i64:
            return reader.number<std::int64_t>(key);
        case ValueType::f32:
            return reader.number<float>(key);
        case ValueType::f64:
            return reader.number<double>(key);
        case ValueType::boolean:
            return reader.number<std::uint8_t>(key) != 0;
        case ValueType::string:
            return reader.text(kMaxStringBytes, key);
        case ValueType::array:
            return read_array(reader, key, 1);
    }
    reader.refuse("unknown metadata type", "use a file of GGUF version 2 or 3", key);
}

GgufTensor read_tensor_info(Reader& reader) {
    GgufTensor tensor;
    tensor.name = reader.text(kMaxKeyBytes, "a tensor name");
    const auto dims = reader.number<std::uint32_t>("a tensor's dimensions");
    if (dims > kMaxDims) {
        reader.refuse(fmt::format("{} dimensions, at most {} are possible", dims, kMaxDims),
                      "the file is damaged", tensor.name);
    }
    for (std::uint32_t d = 0; d < dims; ++d) {
        const auto extent = reader.number<std::uint64_t>("a tensor's shape");
        tensor.ne[d] = static_cast<std::int64_t>(std::min(extent, kMostElements + 1));
    }
    const auto most = checked_extent(tensor.ne);
    if (!most || static_cast<std::uint64_t>(*most) > kMostElements)
        reader.refuse("the shape is absurd", "the file is damaged", tensor.name);
    const std::int64_t elements = tensor.ne[0] * tensor.ne[1] * tensor.ne[2] * tensor.ne[3];
    const auto number = reader.number<std::uint32_t>("a tensor's type");
    const auto type = element_type_numbered(number);
    if (!type) {
        reader.refuse(fmt::format("unknown element type {}", number), "convert the model to a known type",
                      tensor.name);
    }
    tensor.type = *type;
    const auto& traits = traits_of(*type);
    if (tensor.ne[0] % traits.block_elements != 0) {
        reader.refuse(fmt::format("rows of {} are no multiple of the {} block of {}", tensor.ne[0],
                                  traits.name, traits.block_elements),
                      "convert the model again", tensor.name);
    }
    tensor.bytes = static_cast<std::uint64_t>(elements / traits.block_elements * traits.block_bytes);
    tensor.offset = reader.number<std::uint64_t>("a tensor's offset");
    return tensor;
}

/// Any integer of the file as unsigned, or nothing for another type. Negative values do not fit.
std::optional<std::uint64_t> as_unsigned(const GgufValue& value) {
    return std::visit(
        [](const auto& v) -> std::optional<std::uint64_t> {
            using T = std::decay_t<decltype(v)>;
            if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
                if (std::is_signed_v<T> && v < T{}) return std::nullopt;
                return static_cast<std::uint64_t>(v);
            } else {
                return std::nullopt;
            }
        },
        value);
}

}  // namespace

std::shared_ptr<const GgufFile> GgufFile::open(const std::filesystem::path& path, const JobContext& job) {
    auto file = read(path, job);
    file->add_parts(job);
    return file;
}

std::shared_ptr<GgufFile> GgufFile::read(const std::filesystem::path& path, const JobContext& job) {
    std::shared_ptr<GgufFile> file(new GgufFile(MappedFile(path)));  // NOLINT: the constructor is private
    const auto bytes = file->map_.bytes();
    file->memory_bound_ = job.memory_bound();
    Reader reader(bytes, file->path(), job.memory_bound());
    if (bytes.size() < 4 || std::memcmp(bytes.data(), "GGUF", 4) != 0) {
        reader.refuse("not a GGUF file: it does not start with 'GGUF'", "choose a .gguf model");
    }
    reader.number<std::uint32_t>("the magic");
    file->version_ = reader.number<std::uint32_t>("the version");
    if (file->version_ != 2 && file->version_ != 3) {
        reader.refuse(fmt::format("GGUF version {} is not supported", file->version_),
                      "convert the model to version 3");
    }
    const auto tensor_count = reader.number<std::uint64_t>("the tensor count");
    const auto key_count = reader.number<std::uint64_t>("the metadata count");
    // Each entry needs some bytes of its own: name length, type and offset at least.
    constexpr std::uint64_t kLeastTensorBytes = 8 + 4 + 4 + 8;
    constexpr std::uint64_t kLeastKeyBytes = 8 + 4 + 1;
    if (tensor_count > reader.remaining() / kLeastTensorBytes ||
        key_count > reader.remaining() / kLeastKeyBytes) {
        reader.refuse(
            fmt::format("{} tensors and {} metadata entries do not fit the file", tensor_count, key_count),
            "the file is damaged: download or convert it again");
    }

    reader.charge(key_count, sizeof(decltype(file->metadata_)::value_type) + kIndexEntry);
    file->metadata_.reserve(key_count);
    for (std::uint64_t i = 0; i < key_count; ++i) {
        job.check();
        std::string key = reader.text(kMaxKeyBytes, "a metadata key");
        GgufValue value = read_value(reader, key);
        file->metadata_.emplace_back(std::move(key), std::move(value));
        if (!file->key_index_.emplace(file->metadata_.back().first, i).second) {
            reader.refuse("the metadata key occurs twice", "remove one of them",
                          file->metadata_.back().first);
        }
    }
    if (const auto alignment = file->unsigned_value("general.alignment")) {
        if (*alignment == 0 || *alignment > kMaxAlignment || !std::has_single_bit(*alignment)) {
            reader.refuse(fmt::format("alignment {} is no power of two up to {}", *alignment, kMaxAlignment),
                          "the file is damaged", "general.alignment");
        }
        file->alignment_ = *alignment;
    }

    reader.charge(tensor_count, sizeof(GgufTensor) + kIndexEntry);
    file->tensors_.reserve(tensor_count);
    for (std::uint64_t i = 0; i < tensor_count; ++i) {
        file->tensors_.push_back(read_tensor_info(reader));
        const GgufTensor& tensor = file->tensors_.back();
        if (!file->tensor_index_.emplace(tensor.name, i).second) {
            reader.refuse("the tensor occurs twice", "remove one of them", tensor.name);
        }
        if (tensor.offset % file->alignment_ != 0) {
            reader.refuse(
                fmt::format("offset {} is no multiple of the alignment {}", tensor.offset, file->alignment_),
                "the file is damaged", tensor.name);
        }
        if (!checked_add(tensor.offset, tensor.bytes) || tensor.offset + tensor.bytes > std::uint64_t{1}
                                                                                            << 62) {
            reader.refuse("the offset is absurd", "the file is damaged", tensor.name);
        }
    }
    file->data_start_ = round_up(reader.at(), file->alignment_);
    const std::uint64_t data_bytes = bytes.size() > file->data_start_ ? bytes.size() - file->data_start_ : 0;
    // A file that ends where its data would start is a header on its own; one that ends later was cut.
    for (const GgufTensor& tensor : file->tensors_) {
        if (data_bytes == 0 || tensor.offset + tensor.bytes <= data_bytes) continue;
        reader.refuse(fmt::format("the file ends at byte {}, but the tensor's data at byte {}", bytes.size(),
                                  file->data_start_ + tensor.offset + tensor.bytes),
                      "it was cut short: download or copy it again", tensor.name);
    }
    file->has_data_ = data_bytes != 0;
    require_intact(bytes, path);
    return file;
}

const GgufValue* GgufFile::find(std::string_view key) const {
    const auto found = key_index_.find(key);
    return found == key_index_.end() ? nullptr : &metadata_[found->second].second;
}

std::optional<std::uint64_t> GgufFile::unsigned_value(std::string_view key) const {
    const GgufValue* value = find(key);
    if (value == nullptr) return std::nullopt;
    const auto number = as_unsigned(*value);
    if (!number) {
        throw Error(ErrorKind::bad_file, "not a non-negative integer",
                    fmt::format("{}: '{}'", path().string(), key), "convert the model again");
    }
    return number;
}

std::optional<double> GgufFile::float_value(std::string_view key) const {
    const GgufValue* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (const auto* number = std::get_if<float>(value)) return static_cast<double>(*number);
    if (const auto* number = std::get_if<double>(value)) return *number;
    if (const auto number = as_unsigned(*value)) return static_cast<double>(*number);
    throw Error(ErrorKind::bad_file, "not a number", fmt::format("{}: '{}'", path().string(), key),
                "convert the model again");
}

std::optional<bool> GgufFile::bool_value(std::string_view key) const {
    const GgufValue* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (const auto* truth = std::get_if<bool>(value)) return *truth;
    throw Error(ErrorKind::bad_file, "not true or false", fmt::format("{}: '{}'", path().string(), key),
                "convert the model again");
}

std::optional<std::string> GgufFile::string_value(std::string_view key) const {
    const GgufValue* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (const auto* text = std::get_if<std::string>(value)) return *text;
    throw Error(ErrorKind::bad_file, "not a text", fmt::format("{}: '{}'", path().string(), key),
                "convert the model again");
}

std::optional<std::size_t> GgufFile::find_tensor(std::string_view name) const {
    const auto found = tensor_index_.find(name);
    if (found == tensor_index_.end()) return std::nullopt;
    return found->second;
}

std::span<const std::byte> GgufFile::data(std::size_t tensor) const {
    const GgufTensor& t = tensors_[tensor];
    if (t.part > 0) return more_[t.part - 1]->data(tensor - more_from_[t.part - 1]);
    const auto bytes = map_.bytes();
    require_intact(bytes, path());
    if (data_start_ > bytes.size() || t.offset + t.bytes > bytes.size() - data_start_) return {};
    return bytes.subspan(data_start_ + t.offset, t.bytes);
}

}  // namespace splitscope
