// SPDX-License-Identifier: MIT
#include "engine/formats/gguf.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

#include "engine/formats/gguf_place.hpp"
#include "engine/formats/messages.hpp"
#include "engine/support/checked.hpp"
#include "engine/support/error.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/mapping_guard.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

static_assert(std::endian::native == std::endian::little,
              "GGUF files are read in place and are little-endian");

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

/// The item being read: a fixed term, or the key of a value.
class Part {
 public:
    Part(const Sentence<>& words) : words_(&words) {}
    Part(const std::string& key) : key_(key) {}

    Message message() const {
        return words_ != nullptr ? Message(*words_) : Message::verbatim(std::string(key_));
    }

 private:
    const Sentence<>* words_ = nullptr;
    std::string_view key_;
};

/// Reads little-endian values; errors have the position in the file.
class Reader {
 public:
    Reader(std::span<const std::byte> bytes, const std::filesystem::path& path, MemoryBound bound)
        : bytes_(bytes), path_(path), bound_(bound) {}

    /// Accounts for memory before allocation; throws if it exceeds the bound.
    void charge(std::uint64_t count, std::uint64_t each) {
        if (bound_.is_lifted()) return;
        const std::uint64_t bound = bound_.of_file(bytes_.size());
        if (count > bound || count * each > bound - spent_) {
            throw beyond_memory_bound(msg::kDescriptionTooLarge(bound >> 20),
                                      ErrorPlace(msg::kByte(at_)).within(path_));
        }
        spent_ += count * each;
    }

    std::uint64_t at() const { return at_; }
    std::uint64_t remaining() const { return bytes_.size() - at_; }

    /// Refuses the number just read, at its own offset.
    template <class T>
    [[noreturn]] void refuse_number(Message problem, Message remedy) {
        at_ -= sizeof(T);
        refuse(std::move(problem), std::move(remedy));
    }
    [[noreturn]] void refuse(Message problem, Message remedy, std::string_view key = {}) const {
        const ErrorPlace place(key.empty() ? msg::kByte(at_) : msg::kByteOfName(at_, key));
        throw Error(ErrorKind::bad_file, std::move(problem), place.within(path_), std::move(remedy));
    }
    void require(std::uint64_t bytes, Part part) const {
        if (bytes > remaining())
            refuse(msg::kFileEndsInside(part.message(), bytes, remaining()), msg::kDownloadAgain);
    }
    template <class T>
    T number(Part part) {
        require(sizeof(T), part);
        T value{};
        std::memcpy(&value, bytes_.data() + at_, sizeof(T));
        at_ += sizeof(T);
        return value;
    }
    std::string text(std::uint64_t most, Part part) {
        const auto length = number<std::uint64_t>(part);
        if (length > most) refuse(msg::kPartTooLong(part.message(), length, most), msg::kDownloadAgain);
        require(length, part);
        constexpr std::uint64_t kInside = 15;  // small-string optimisation
        if (length > kInside) charge(1, length + sizeof(std::max_align_t));
        std::string value(reinterpret_cast<const char*>(bytes_.data() + at_), length);
        at_ += length;
        return value;
    }
    template <class T>
    std::vector<T> numbers(std::uint64_t count, Part part) {
        const auto bytes = checked_mul<std::uint64_t>(count, sizeof(T));
        if (!bytes) refuse(msg::kPartImpossibleLength(part.message(), count), msg::kDownloadAgain);
        require(*bytes, part);
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

/// Overhead of an entry in an index by name.
constexpr std::uint64_t kIndexEntry = 64;

ValueType value_type(Reader& reader, std::string_view key) {
    const auto number = reader.number<std::uint32_t>(msg::kValueType);
    if (number > static_cast<std::uint32_t>(ValueType::f64)) {
        reader.refuse(msg::kUnknownMetadataType(number), msg::kUseGguf2Or3, key);
    }
    return static_cast<ValueType>(number);
}

std::shared_ptr<const GgufArray> read_array(Reader& reader, const std::string& key, int depth) {
    if (depth > kMaxGgufArrayDepth) reader.refuse(msg::kNestedArrays, msg::kFlattenMetadata, key);
    const ValueType type = value_type(reader, key);
    const auto count = reader.number<std::uint64_t>(msg::kArrayLength);
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
            // Each string has a length field, which limits their number.
            if (count > reader.remaining() / sizeof(std::uint64_t)) {
                reader.refuse(msg::kArrayOfStringsTooLong(count), msg::kDownloadAgain, key);
            }
            reader.charge(count, sizeof(std::string));
            std::vector<std::string> texts;
            texts.reserve(count);
            for (std::uint64_t i = 0; i < count; ++i) texts.push_back(reader.text(kMaxGgufStringBytes, key));
            array->values = std::move(texts);
            break;
        }
        case ValueType::array: {
            if (count > reader.remaining() / sizeof(std::uint64_t)) {
                reader.refuse(msg::kArrayOfArraysTooLong(count), msg::kDownloadAgain, key);
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
    const ValueType type = value_type(reader, key);
    switch (type) {
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
            return reader.text(kMaxGgufStringBytes, key);
        case ValueType::array:
            return read_array(reader, key, 1);
    }
    reader.refuse(msg::kUnknownMetadataType(static_cast<std::uint32_t>(type)), msg::kUseGguf2Or3, key);
}

GgufTensor read_tensor_info(Reader& reader) {
    GgufTensor tensor;
    tensor.name = reader.text(kMaxGgufKeyBytes, msg::kTensorName);
    const auto dims = reader.number<std::uint32_t>(msg::kTensorDimensions);
    if (dims > kMaxDims) {
        reader.refuse(msg::kTooManyDimensions(dims, kMaxDims), msg::kDownloadAgain, tensor.name);
    }
    for (std::uint32_t d = 0; d < dims; ++d) {
        const auto extent = reader.number<std::uint64_t>(msg::kTensorShape);
        tensor.ne[d] = static_cast<std::int64_t>(std::min(extent, kMaxGgufElements + 1));
    }
    const auto most = checked_extent(tensor.ne);
    if (!most || static_cast<std::uint64_t>(*most) > kMaxGgufElements)
        reader.refuse(msg::kTooManyElements, msg::kDownloadAgain, tensor.name);
    const std::int64_t elements = tensor.ne[0] * tensor.ne[1] * tensor.ne[2] * tensor.ne[3];
    const auto number = reader.number<std::uint32_t>(msg::kTensorType);
    const auto type = element_type_numbered(number);
    if (!type) {
        reader.refuse(msg::kUnknownElementType(number), msg::kConvertToKnownType, tensor.name);
    }
    tensor.type = *type;
    const auto& traits = traits_of(*type);
    if (tensor.ne[0] % traits.block_elements != 0) {
        reader.refuse(msg::kRowNotBlocks(tensor.ne[0], traits.name, traits.block_elements),
                      msg::kConvertAgain, tensor.name);
    }
    tensor.bytes = static_cast<std::uint64_t>(elements / traits.block_elements * traits.block_bytes);
    tensor.offset = reader.number<std::uint64_t>(msg::kTensorOffset);
    return tensor;
}

struct Header {
    std::uint32_t version = 0;
    std::uint64_t tensors = 0;
    std::uint64_t keys = 0;
};

Header read_header(Reader& reader, std::span<const std::byte> bytes) {
    if (bytes.size() < 4 || std::memcmp(bytes.data(), "GGUF", 4) != 0) {
        reader.refuse(msg::kNotGguf, msg::kChooseGguf);
    }
    reader.number<std::uint32_t>(msg::kMagic);
    Header header;
    header.version = reader.number<std::uint32_t>(msg::kVersionField);
    // The version is the first multi-byte number.
    constexpr std::uint32_t kOtherByteOrder = 0x00FFFFFF;
    if (header.version != 0 && (header.version & kOtherByteOrder) == 0) {
        reader.refuse_number<std::uint32_t>(msg::kGgufBigEndian, msg::kConvertByteOrder);
    }
    // Future versions are small numbers.
    constexpr std::uint32_t kMaxPlausible = 255;
    if (header.version == 0 || header.version > kMaxPlausible) {
        reader.refuse_number<std::uint32_t>(msg::kNoGgufVersion(header.version),
                                            msg::kDownloadOrConvertAgain);
    }
    if (header.version != 2 && header.version != 3) {
        reader.refuse_number<std::uint32_t>(msg::kGgufVersion(header.version), msg::kConvertToVersion3);
    }
    header.tensors = reader.number<std::uint64_t>(msg::kTensorCount);
    header.keys = reader.number<std::uint64_t>(msg::kMetadataCount);
    // Each entry has a minimum size: name length, type and offset.
    constexpr std::uint64_t kMinTensorBytes = 8 + 4 + 4 + 8;
    constexpr std::uint64_t kMinKeyBytes = 8 + 4 + 1;
    if (header.tensors > reader.remaining() / kMinTensorBytes ||
        header.keys > reader.remaining() / kMinKeyBytes) {
        reader.refuse(msg::kCountsDoNotFit(header.tensors, header.keys), msg::kDownloadAgain);
    }
    return header;
}

void require_placed(const Reader& reader, const GgufTensor& tensor, std::uint64_t alignment) {
    if (tensor.offset % alignment != 0)
        reader.refuse(msg::kOffsetNotAligned(tensor.offset, alignment), msg::kDownloadAgain, tensor.name);
    constexpr std::uint64_t kMaxEnd = std::uint64_t{1} << 62;
    const auto end = checked_add(tensor.offset, tensor.bytes);
    if (!end || *end > kMaxEnd) reader.refuse(msg::kOffsetOutOfRange, msg::kDownloadAgain, tensor.name);
}

/// Any integer as unsigned; empty for other types and negative values.
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

[[noreturn]] void refuse_value(const std::filesystem::path& path, std::string_view key, Message problem) {
    throw Error(ErrorKind::bad_file, std::move(problem), place_of_key(path, key), msg::kConvertAgain);
}

}  // namespace

bool is_gguf(const std::filesystem::path& path) {
    return path != "-" && read_start(path, 4) == "GGUF";
}

std::shared_ptr<const GgufFile> GgufFile::open(const std::filesystem::path& path, const JobContext& job) {
    auto file = read(path, job);
    file->add_parts(job);
    return file;
}

std::shared_ptr<GgufFile> GgufFile::read(const std::filesystem::path& path, const JobContext& job) {
    std::shared_ptr<GgufFile> file(new GgufFile(MappedFile(path)));  // NOLINT: the constructor is private
    try {
        file->read_description(job);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error&) {
        // Not invalid, but truncated meanwhile.
        require_intact(file->map_.bytes(), path);
        throw;
    }
    require_intact(file->map_.bytes(), path);
    return file;
}

void GgufFile::read_description(const JobContext& job) {
    const auto bytes = map_.bytes();
    memory_bound_ = job.memory_bound();
    Reader reader(bytes, path(), job.memory_bound());
    const Header header = read_header(reader, bytes);
    version_ = header.version;
    reader.charge(header.keys, sizeof(decltype(metadata_)::value_type) + kIndexEntry);
    metadata_.reserve(header.keys);
    for (std::uint64_t i = 0; i < header.keys; ++i) {
        job.check();
        std::string key = reader.text(kMaxGgufKeyBytes, msg::kMetadataKey);
        GgufValue value = read_value(reader, key);
        metadata_.emplace_back(std::move(key), std::move(value));
        if (!key_index_.emplace(metadata_.back().first, i).second) {
            reader.refuse(msg::kKeyTwice, msg::kRemoveOneOfThem, metadata_.back().first);
        }
    }
    if (const auto alignment = unsigned_value("general.alignment")) {
        if (*alignment == 0 || *alignment > kMaxGgufAlignment || !std::has_single_bit(*alignment)) {
            reader.refuse(msg::kBadAlignment(*alignment, kMaxGgufAlignment), msg::kDownloadAgain,
                          "general.alignment");
        }
        alignment_ = *alignment;
    }

    reader.charge(header.tensors, sizeof(GgufTensor) + kIndexEntry);
    tensors_.reserve(header.tensors);
    for (std::uint64_t i = 0; i < header.tensors; ++i) {
        tensors_.push_back(read_tensor_info(reader));
        const GgufTensor& tensor = tensors_.back();
        if (!tensor_index_.emplace(tensor.name, i).second) {
            reader.refuse(msg::kTensorTwice, msg::kRemoveOneOfThem, tensor.name);
        }
        require_placed(reader, tensor, alignment_);
    }
    data_start_ = round_up(reader.at(), alignment_);
    const std::uint64_t data_bytes = bytes.size() > data_start_ ? bytes.size() - data_start_ : 0;
    // A file that ends where its data would start is a header; one that ends later was truncated.
    for (const GgufTensor& tensor : tensors_) {
        if (data_bytes == 0 || tensor.offset + tensor.bytes <= data_bytes) continue;
        reader.refuse(msg::kDataBeyondEnd(bytes.size(), data_start_ + tensor.offset + tensor.bytes),
                      msg::kTruncated, tensor.name);
    }
    has_data_ = data_bytes != 0;
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
        refuse_value(path(), key, msg::kNotUnsigned);
    }
    return number;
}

std::optional<double> GgufFile::float_value(std::string_view key) const {
    const GgufValue* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (const auto* number = std::get_if<float>(value)) return static_cast<double>(*number);
    if (const auto* number = std::get_if<double>(value)) return *number;
    if (const auto number = as_unsigned(*value)) return static_cast<double>(*number);
    refuse_value(path(), key, msg::kExpectedNumber);
}

std::optional<bool> GgufFile::bool_value(std::string_view key) const {
    const GgufValue* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (const auto* truth = std::get_if<bool>(value)) return *truth;
    refuse_value(path(), key, msg::kExpectedBoolean);
}

std::optional<std::string> GgufFile::string_value(std::string_view key) const {
    const GgufValue* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (const auto* text = std::get_if<std::string>(value)) return *text;
    refuse_value(path(), key, msg::kExpectedString);
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
