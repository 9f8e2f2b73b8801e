// SPDX-License-Identifier: MIT
#include "engine/models/check_file.hpp"

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "engine/formats/gguf_place.hpp"
#include "engine/formats/messages.hpp"
#include "engine/models/messages.hpp"
#include "engine/support/checked.hpp"
#include "engine/support/messages.hpp"

namespace splitscope {
namespace {

class FileCheck {
 public:
    explicit FileCheck(const GgufFile& file)
        : file_(file), prefix_(file.string_value("general.architecture").value_or("")) {}

    /// Throws the error found.
    void run() const {
        if (prefix_.empty()) refuse("general.architecture", msg::kArchitectureNotNamed);
        check_data();
        check_decimals();
        check_heads();
    }

 private:
    [[noreturn]] void refuse(const std::string& key, Message problem) const {
        throw Error(ErrorKind::bad_file, std::move(problem), place_of_key(file_.path(), key),
                    msg::kConvertAgain);
    }
    std::string key(std::string_view name) const { return fmt::format("{}.{}", prefix_, name); }

    /// Loaders require tensors to be contiguous.
    void check_data() const {
        std::uint64_t expected = 0;
        std::uint32_t part = 0;
        for (const GgufTensor& tensor : file_.tensors()) {
            if (tensor.part != part) expected = 0;
            part = tensor.part;
            if (tensor.offset != expected) {
                throw Error(ErrorKind::bad_file,
                            tensor.offset < expected ? msg::kDataOverlaps(tensor.offset, expected)
                                                     : msg::kDataGap(tensor.offset, expected),
                            ErrorPlace(msg::kPlaceTensor(tensor.name)).within(file_.path_of(part)),
                            msg::kConvertAgain);
            }
            expected = round_up(tensor.offset + tensor.bytes, file_.alignment());
        }
    }

    void check_decimals() const {
        for (const char* name : {"attention.layer_norm_rms_epsilon", "attention.layer_norm_epsilon",
                                 "attention.group_norm_epsilon"}) {
            const auto value = file_.float_value(key(name));
            if (value && !(std::isfinite(*value) && *value >= 0))
                refuse(key(name), msg::kBadEpsilon(fmt::format("{}", *value)));
        }
        for (const char* name : {"rope.freq_base", "rope.freq_base_swa"}) {
            const auto value = file_.float_value(key(name));
            if (value && !(std::isfinite(*value) && *value > 0))
                refuse(key(name), msg::kBadRopeBase(fmt::format("{}", *value)));
        }
        for (const char* name : {"rope.dimension_count", "rope.dimension_count_swa"}) {
            const GgufValue* value = file_.find(key(name));
            if (value == nullptr || std::holds_alternative<std::shared_ptr<const GgufArray>>(*value))
                continue;
            const auto dimensions = file_.unsigned_value(key(name));
            if (dimensions && *dimensions % 2 != 0) refuse(key(name), msg::kOddRopeDimensions(*dimensions));
        }
    }

    bool has_attention() const {
        for (const char* name : {"blk.0.attn_q.weight", "blk.0.attn_qkv.weight"})
            if (file_.find_tensor(name)) return true;
        return false;
    }

    /// Only scalar values; arrays depend on the architecture.
    void check_heads() const {
        const GgufValue* heads = file_.find(key("attention.head_count"));
        if (heads == nullptr || std::holds_alternative<std::shared_ptr<const GgufArray>>(*heads)) return;
        const std::uint64_t count = file_.unsigned_value(key("attention.head_count")).value_or(0);
        if (count == 0 && has_attention()) refuse(key("attention.head_count"), msg::kNoHeads);
        const GgufValue* shared = file_.find(key("attention.head_count_kv"));
        if (shared == nullptr || std::holds_alternative<std::shared_ptr<const GgufArray>>(*shared)) return;
        const std::uint64_t keys = file_.unsigned_value(key("attention.head_count_kv")).value_or(0);
        if (keys > 0 && count % keys != 0) {
            refuse(key("attention.head_count_kv"), msg::kHeadsDoNotDivide(count, keys));
        }
    }

    const GgufFile& file_;
    std::string prefix_;
};

}  // namespace

Message reason_in(const GgufFile& file, const Error& error) {
    const ErrorPlace place = error.place().inside(file.path());
    return place.empty() ? error.problem() : msg::kAtPlace(place.message(), error.problem());
}

std::optional<Error> why_not_loadable(const GgufFile& file) {
    try {
        FileCheck(file).run();
    } catch (const Error& error) {
        return error;
    }
    return std::nullopt;
}

}  // namespace splitscope
