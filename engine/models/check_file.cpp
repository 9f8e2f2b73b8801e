// SPDX-License-Identifier: MIT
#include "engine/models/check_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "engine/formats/gguf_place.hpp"
#include "engine/formats/messages.hpp"
#include "engine/models/architectures.hpp"
#include "engine/models/check_keys.hpp"
#include "engine/models/check_prediction.hpp"
#include "engine/models/known_tensors.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/name_list.hpp"
#include "engine/models/required_tensors.hpp"
#include "engine/models/trunk_blocks.hpp"
#include "engine/models/vocabulary.hpp"
#include "engine/support/checked.hpp"
#include "engine/support/limits.hpp"
#include "engine/support/messages.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kScalings = "none linear yarn longrope";

/// Of all architectures.
constexpr auto kExtents = std::to_array<KeyedExtent>({
    {"position_embd.weight", 1, "context_length"},
    {"token_types.weight", 1, "tokenizer.ggml.token_type_count"},
    {".attn_q_a.weight", 1, "attention.q_lora_rank"},
    {".attn_norm_2.bias", 0, "embedding_length"},
    {".ffn_norm.bias", 0, "embedding_length"},
    {".channel_mix_key.weight", 1, "feed_forward_length"},
    {".exp_probs_b", 0, "expert_count"},
    {".exp_probs_b.bias", 0, "expert_count"},
    {".ffn_gate_inp.weight", 1, "expert_count"},
    {".ffn_gate_exps.weight", 2, "expert_count"},
    {".ffn_up_exps.weight", 2, "expert_count"},
    {".ffn_down_exps.weight", 2, "expert_count"},
});

/// Where attention is as wide as the embedding.
constexpr auto kSquareExtents = std::to_array<KeyedExtent>({
    {".attn_q.weight", 1, "embedding_length"},
    {".attn_output.weight", 0, "embedding_length"},
});

/// As many as llama.cpp has room for.
constexpr std::uint64_t kMaxExperts = 512;

constexpr auto kSharedExtents = std::to_array<SharedExtent>({
    {"attn_q.bias", 0, "attn_q.weight", 1},
    {"attn_k.bias", 0, "attn_k.weight", 1},
    {"attn_v.bias", 0, "attn_v.weight", 1},
    {"attn_qkv.bias", 0, "attn_qkv.weight", 1},
    {"attn_output.bias", 0, "attn_output.weight", 1},
});

/// Of biases that no graph reads; builders check the others.
constexpr auto kUnreadExtents = std::to_array<SharedExtent>({
    {"ffn_down.bias", 0, "ffn_down.weight", 1},
    {"ffn_gate.bias", 0, "ffn_gate.weight", 1},
    {"ffn_up.bias", 0, "ffn_up.weight", 1},
});

/// Operands that ggml reads as F32 only.
constexpr std::string_view kSingle =
    "blk.attn_sinks.weight rope_freqs.weight rope_factors_long.weight rope_factors_short.weight";
/// Numbers of experts, the only weights that are integers.
constexpr std::string_view kIntegers = "blk.ffn_gate_tid2eid.weight";

/// Weights for images, which no graph of text reads, have the shapes of those for text.
struct SameShape {
    std::string_view weight;
    std::string_view as;
};
constexpr auto kSameShapes = std::to_array<SameShape>({
    {"vis_attn_qkv.weight", "attn_qkv.weight"},
    {"vis_attn_output.weight", "attn_output.weight"},
    {"vis_gate.weight", "ffn_gate.weight"},
    {"vis_up.weight", "ffn_up.weight"},
    {"vis_down.weight", "ffn_down.weight"},
});

class FileCheck {
 public:
    explicit FileCheck(const GgufFile& file)
        : file_(file),
          prefix_(file.string_value("general.architecture").value_or("")),
          row_(architecture_or_default(prefix_)),
          rules_(row_.loader),
          blocks_(file.unsigned_value(key("block_count")).value_or(0)),
          trunk_(trunk_blocks(file)) {}

    /// Throws the error found.
    void run() const {
        if (prefix_.empty()) refuse("general.architecture", msg::kArchitectureNotNamed);
        const bool has_graph = row_.graph != nullptr;
        const std::uint64_t most = has_graph ? kMaxLoadedBlocks : kMaxLayers;
        if (blocks_ > most) refuse(key("block_count"), msg::kMoreThan(blocks_, most));
        check_data();
        if (has_graph) check_keys(file_, prefix_);
        check_decimals();
        check_heads();
        if (has_graph) {
            check_required();
            check_experts();
            check_query_rank();
        }
        check_types();
        if (has_graph) {
            check_widths();
            check_tensors();
            check_prediction(file_, row_);
            check_indexers();
        }
    }

 private:
    [[noreturn]] void refuse(const std::string& key, Message problem) const {
        throw Error(ErrorKind::bad_file, std::move(problem), place_of_key(file_.path(), key),
                    msg::kConvertAgain);
    }
    std::string key(std::string_view name) const {
        return name.starts_with("tokenizer.") ? std::string(name) : fmt::format("{}.{}", prefix_, name);
    }

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
        if (row_.caches == CacheKinds::recurrent) return;
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

    std::vector<std::string_view> required_keys() const {
        std::vector<std::string_view> keys = {"context_length", "embedding_length", "block_count"};
        if (!rules_.epsilon_key.empty()) keys.push_back(rules_.epsilon_key);
        for (const std::string_view key : rules_.keys.split()) keys.push_back(key);
        return keys;
    }

    void check_required() const {
        for (const std::string_view name : required_keys()) {
            // These have no prefix.
            const std::string wanted = name.starts_with("xielu.") ? std::string(name) : key(name);
            const GgufValue* value = file_.find(wanted);
            if (value == nullptr) refuse(wanted, msg::kKeyMissing);
            if (divides(name) && number(name, 0) == 0) refuse(wanted, msg::kKeyZero);
            // Where it is required, each layer has its own.
            if (name == "attention.sliding_window_pattern" &&
                !std::holds_alternative<std::shared_ptr<const GgufArray>>(*value))
                refuse(wanted, msg::kNoEntryPerLayer);
        }
        if (const FixedKey& fixed = rules_.fixed_key; !fixed.key.empty()) {
            const auto found = number(fixed.key, 0);
            if (file_.find(key(fixed.key)) && found && *found != fixed.value)
                refuse(key(fixed.key), msg::kKeyValue(*found, fixed.value));
        }
        check_signs();
        if (const auto scaling = file_.string_value(key("rope.scaling.type"));
            scaling && !lists(kScalings, *scaling))
            refuse(key("rope.scaling.type"), msg::kUnknownScaling);
    }

    void check_signs() const {
        if (!rules_.true_key.empty() && file_.bool_value(key(rules_.true_key)) == false)
            refuse(key(rules_.true_key), msg::kKeyIsFalse);
        if (rules_.negative_key.empty()) return;
        const auto value = file_.float_value(key(rules_.negative_key));
        if (value && !(*value < 0))
            refuse(key(rules_.negative_key), msg::kKeyNotNegative(fmt::format("{}", *value)));
    }

    /// Whether loaders or graphs divide by it.
    bool divides(std::string_view key) const {
        return (key.starts_with("ssm.") && key != "ssm.group_count") || key == "kda.head_dim" ||
               key == "wkv.head_size" || key == "shortconv.l_cache" ||
               key == "attention.indexer.block_size" ||
               (key == "interleave_moe_layer_step" && rules_.expert_blocks != ExpertBlocks::by_step);
    }

    void check_experts() const {
        const auto count = number("expert_count", 0);
        const auto used = number("expert_used_count", 0);
        if (count && *count > kMaxExperts) refuse(key("expert_count"), msg::kMoreThan(*count, kMaxExperts));
        const auto groups = number("expert_group_count", 0);
        if (count && groups && *groups > 0 && *groups >= *count)
            refuse(key("expert_group_count"), msg::kGroupsDoNotDivide);
        if (count && used && *used > *count) refuse(key("expert_used_count"), msg::kMoreThanExperts);
        if (count != 0 && rules_.requires_routing && number("expert_gating_func", 0) == 0)
            refuse(key("expert_gating_func"), msg::kUnknownRouting);
        if (count == 0 || blocks_ > file_.tensors().size()) return;
        for (std::uint64_t b = 0; b < trunk_; ++b) {
            const auto sparse = has_experts(b);
            if (sparse) require_tensor(fmt::format("blk.{}.ffn_down{}.weight", b, *sparse ? "_exps" : ""));
            if (rules_.counts_shared && number("expert_shared_count", b).value_or(0) > 0 &&
                file_.find_tensor(fmt::format("blk.{}.ffn_gate_inp.weight", b)))
                require_tensor(fmt::format("blk.{}.ffn_up_shexp.weight", b));
        }
    }

    /// Whether the metadata gives the block experts, where builders look at the tensors only.
    std::optional<bool> has_experts(std::uint64_t block) const {
        switch (rules_.expert_blocks) {
            case ExpertBlocks::by_tensors:
                break;
            case ExpertBlocks::by_step:
                if (const auto step = number("interleave_moe_layer_step", block))
                    return *step > 0 && (block + 1) % *step == 0;
                break;
            case ExpertBlocks::after_dense:
                if (const auto dense = number("leading_dense_block_count", block)) return block >= *dense;
                break;
            case ExpertBlocks::all:
                return true;
        }
        return std::nullopt;
    }

    void check_query_rank() const {
        if (!rules_.rank_by_size) return;
        constexpr std::string_view kRank = "attention.q_lora_rank";
        constexpr std::uint64_t kTokensOfLite = 128256;
        const auto embeddings = file_.find_tensor("token_embd.weight");
        const std::int64_t tokens = embeddings ? file_.tensors()[*embeddings].ne[1] : 0;
        const bool lite = trunk_ == 26 || trunk_ == 27 || (trunk_ == 48 && tokens == kTokensOfLite);
        if (!lite && file_.find(key(kRank)) == nullptr) refuse(key(kRank), msg::kKeyMissing);
        const bool low_rank = !lite && number(kRank, 0).value_or(0) > 0;
        if (trunk_ > file_.tensors().size()) return;
        for (std::uint64_t b = 0; b < trunk_; ++b)
            require_tensor(fmt::format("blk.{}.attn_q{}.weight", b, low_rank ? "_a" : ""));
    }

    void require_tensor(const std::string& name) const {
        if (file_.find_tensor(name)) return;
        throw Error(ErrorKind::bad_file, msg::kTensorMissing,
                    ErrorPlace(msg::kPlaceTensor(name)).within(file_.path()),
                    msg::kArchitectureNeedsTensor(prefix_));
    }

    void check_types() const {
        for (const GgufTensor& tensor : file_.tensors()) {
            const std::string kind = kind_of_tensor(tensor.name);
            const bool known = lists(kSingle, kind) ? tensor.type == ElementType::f32
                               : is_integer(tensor.type) || tensor.type == ElementType::f64
                                   ? lists(kIntegers, kind)
                                   : true;
            if (!known) refuse(tensor, msg::kWeightOfType(name_of(tensor.type)));
        }
    }
    static bool is_integer(ElementType type) {
        return type == ElementType::i8 || type == ElementType::i16 || type == ElementType::i32 ||
               type == ElementType::i64;
    }

    [[noreturn]] void refuse(const GgufTensor& tensor, Message problem) const {
        throw Error(ErrorKind::bad_file, std::move(problem),
                    ErrorPlace(msg::kPlaceTensor(tensor.name)).within(file_.path_of(tensor.part)),
                    msg::kMetadataContradicts);
    }

    [[noreturn]] void refuse_unknown(const GgufTensor& tensor) const {
        throw Error(ErrorKind::bad_file, msg::kTensorNotKnown(prefix_),
                    ErrorPlace(msg::kPlaceTensor(tensor.name)).within(file_.path_of(tensor.part)),
                    msg::kConvertAgain);
    }

    /// A number of one block: 0 without the key, empty if it is not a number.
    std::optional<std::uint64_t> number(std::string_view name, std::uint64_t block) const {
        const GgufValue* value = file_.find(key(name));
        if (value == nullptr) return 0;
        if (!std::holds_alternative<std::shared_ptr<const GgufArray>>(*value))
            return file_.unsigned_value(key(name));
        if (const auto* numbers = array_of<std::uint32_t>(file_, key(name)))
            return block < numbers->size() ? std::optional<std::uint64_t>((*numbers)[block]) : std::nullopt;
        const auto* numbers = array_of<std::int32_t>(file_, key(name));
        if (numbers == nullptr || block >= numbers->size() || (*numbers)[block] < 0) return std::nullopt;
        return static_cast<std::uint64_t>((*numbers)[block]);
    }

    std::optional<std::uint64_t> expert_width(std::uint64_t block) const {
        const auto dense = number("feed_forward_length", block);
        if (rules_.expert_width == ExpertWidth::dense) return dense;
        const auto expert = number("expert_feed_forward_length", block);
        if (expert != 0 || !dense || rules_.expert_width == ExpertWidth::undivided)
            return expert == 0 ? dense : expert;
        return *dense / std::max<std::uint64_t>(number("expert_used_count", block).value_or(1), 1);
    }

    /// That of keys; empty if it differs between layers.
    std::optional<std::uint64_t> head_width() const {
        if (file_.find(key("attention.key_length"))) return number("attention.key_length", 0);
        const auto heads = number("attention.head_count", 0);
        const auto width = number("embedding_length", 0);
        return heads && width && *heads > 0 ? std::optional(*width / *heads) : std::nullopt;
    }

    /// The width that the metadata gives the hidden layer read by this weight; empty for other weights.
    std::optional<std::uint64_t> hidden_width(std::string_view weight, std::uint64_t block) const {
        if (rules_.any_width) return std::nullopt;
        const auto dense = number("feed_forward_length", block);
        if (weight == "ffn_down.weight" && !rules_.any_dense_width)
            return dense && rules_.halves_width ? std::optional(*dense / 2) : dense;
        if (weight == "ffn_down_exps.weight") return expert_width(block);
        if (weight == "ffn_down_chexps.weight") {
            const auto chunk = number("expert_chunk_feed_forward_length", block);
            return chunk == 0 ? head_width() : chunk;
        }
        if (weight != "ffn_down_shexp.weight") return std::nullopt;
        const auto shared = number("expert_shared_feed_forward_length", block);
        const auto expert = number("expert_feed_forward_length", block);
        const std::uint64_t count = number("expert_shared_count", block).value_or(1);
        if (rules_.multiplies_shared && shared && *shared != 0) return *shared * count;
        if (rules_.counts_shared && count == 0) return 0;
        if (shared != 0 || !expert || *expert == 0) return shared;
        return *expert * std::max<std::uint64_t>(count, 1);
    }

    void check_extents(const GgufTensor& tensor, std::string_view weight, std::uint64_t block) const {
        const std::span<const KeyedExtent> square(kSquareExtents);
        for (const std::span<const KeyedExtent> extents :
             {std::span<const KeyedExtent>(kExtents), rules_.extents,
              rules_.square_attention ? square : std::span<const KeyedExtent>()}) {
            for (const KeyedExtent& extent : extents) {
                if (extent.weight != weight) continue;
                const auto wanted = number(extent.key, block);
                const auto found = static_cast<std::uint64_t>(tensor.ne[extent.dimension]);
                if (wanted && found != *wanted * extent.factor)
                    refuse(tensor, msg::kExtentDiffers(found, *wanted * extent.factor));
            }
        }
    }

    void require_shape_of(const std::string& other, const GgufTensor& tensor) const {
        const auto found = file_.find_tensor(other);
        if (found && file_.tensors()[*found].ne != tensor.ne)
            refuse(tensor,
                   msg::kShapeDiffers(format_shape(tensor.ne), format_shape(file_.tensors()[*found].ne)));
    }

    /// Graphs read only those for the length of the context, or none.
    void check_rope_factors(const GgufTensor& tensor) const {
        if (!tensor.name.starts_with("rope_f") || row_.window.own_dims) return;
        if (tensor.name == "rope_freqs.weight" && !lists(rules_.unused, tensor.name)) return;
        constexpr std::string_view kDimensions = "rope.dimension_count";
        const auto dims = file_.find(key(kDimensions)) ? number(kDimensions, 0) : head_width();
        if (!dims) return;
        const Shape wanted{static_cast<std::int64_t>(*dims / 2), 1, 1, 1};
        if (tensor.ne != wanted)
            refuse(tensor, msg::kShapeDiffers(format_shape(tensor.ne), format_shape(wanted)));
    }

    /// The output of classifiers, which graphs read only for rankings.
    void check_classes(const GgufTensor& tensor) const {
        if (!tensor.name.starts_with("cls.") || !lists(rules_.optional, "cls.output.weight")) return;
        const auto* labels = array_of<std::string>(file_, key("classifier.output_labels"));
        const std::int64_t classes =
            labels == nullptr || labels->empty() ? 1 : static_cast<std::int64_t>(labels->size());
        const auto width = static_cast<std::int64_t>(number("embedding_length", 0).value_or(0));
        const bool output = tensor.name.starts_with("cls.output.");
        Shape wanted{output && tensor.name.ends_with(".bias") ? classes : width, 1, 1, 1};
        if (tensor.name == "cls.weight") wanted[1] = width;
        if (tensor.name == "cls.output.weight") wanted[1] = classes;
        if (tensor.ne != wanted)
            refuse(tensor, msg::kShapeDiffers(format_shape(tensor.ne), format_shape(wanted)));
    }

    /// The dense layers behind the pooling, which graphs read only for embeddings.
    void check_dense_outputs(const GgufTensor& tensor) const {
        if (!tensor.name.starts_with("dense_")) return;
        const bool two = lists(rules_.optional, "dense_3.weight");
        const auto size = [&](std::string_view name) {
            return static_cast<std::int64_t>(number(name, 0).value_or(0));
        };
        const std::int64_t width = size("embedding_length");
        const std::int64_t out = size(two ? "dense_2_feat_out" : "embedding_length_out");
        Shape wanted{width, out > 0 || two ? out : width, 1, 1};
        if (tensor.name == "dense_2.bias") wanted = {wanted[1], 1, 1, 1};
        if (tensor.name == "dense_3.weight") wanted = {size("dense_3_feat_in"), width, 1, 1};
        if (tensor.ne != wanted)
            refuse(tensor, msg::kShapeDiffers(format_shape(tensor.ne), format_shape(wanted)));
    }

    /// Biases are added to rows; those of experts have several.
    void check_bias(const GgufTensor& tensor, std::string_view name) const {
        const bool row = name.starts_with(".") || name.starts_with("output");
        if (row && name.ends_with(".bias") && !name.ends_with("_exps.bias") && tensor.ne[1] != 1)
            refuse(tensor, msg::kExtentDiffers(tensor.ne[1], 1));
        if (name == "output.bias" && lists(rules_.unused, name) &&
            static_cast<std::uint64_t>(tensor.ne[0]) != table_rows())
            refuse(tensor, msg::kExtentDiffers(tensor.ne[0], table_rows()));
    }
    std::uint64_t table_rows() const {
        const auto embeddings = file_.find_tensor("token_embd.weight");
        return embeddings ? static_cast<std::uint64_t>(file_.tensors()[*embeddings].ne[1]) : 0;
    }

    void check_same_shape(const GgufTensor& tensor, std::string_view weight) const {
        const std::string block = tensor.name.substr(0, tensor.name.size() - weight.size());
        for (const SameShape& pair : kSameShapes)
            if (pair.weight == weight) require_shape_of(block + std::string(pair.as), tensor);
        // The last blocks read the caches of others, and not these weights.
        if (rules_.shares_key_shapes && (weight.starts_with("attn_k") || weight.starts_with("attn_v")))
            require_shape_of("blk.0." + std::string(weight), tensor);
    }

    /// Whether it is a separate bias of queries, keys and values that are one product without a bias.
    bool is_bias_of_fused(const std::string& block, std::string_view weight) const {
        return (weight == "attn_q.bias" || weight == "attn_k.bias" || weight == "attn_v.bias") &&
               file_.find_tensor(block + "attn_qkv.weight") && !file_.find_tensor(block + "attn_qkv.bias");
    }

    void check_shared_extents(const GgufTensor& tensor, std::string_view weight) const {
        const std::string block = tensor.name.substr(0, tensor.name.size() - weight.size());
        const std::span<const SharedExtent> unread = lists(rules_.unused, kind_of_tensor(tensor.name))
                                                         ? std::span<const SharedExtent>(kUnreadExtents)
                                                         : std::span<const SharedExtent>();
        for (const std::span<const SharedExtent> pairs :
             {std::span<const SharedExtent>(kSharedExtents), unread, rules_.shared_extents}) {
            for (const SharedExtent& pair : pairs) {
                if (pair.weight != weight) continue;
                const auto other = file_.find_tensor(block + std::string(pair.other));
                if (!other && (is_bias_of_fused(block, weight) || in_prediction(tensor.name))) continue;
                // Loaders ask for biases of the products that a block has.
                if (!other) refuse_unknown(tensor);
                const std::int64_t found = tensor.ne[pair.dimension];
                const std::int64_t wanted = file_.tensors()[*other].ne[pair.other_dimension];
                if (found != wanted) refuse(tensor, msg::kExtentDiffers(found, wanted));
            }
        }
    }

    bool in_prediction(std::string_view name) const {
        const auto block = block_of(name);
        return block && *block >= trunk_;
    }

    /// The number of its block, if it belongs to one; `rest` is then what follows the number, from the dot.
    static std::optional<std::uint64_t> block_of(std::string_view name, std::string_view* rest = nullptr) {
        constexpr std::string_view kBlock = "blk.";
        constexpr std::string_view kCoder = "enc.";  // or "dec."
        const std::size_t at = name.find(kBlock);
        if (at != 0 && at != kCoder.size()) return std::nullopt;
        name.remove_prefix(at + kBlock.size());
        std::uint64_t block = 0;
        const auto [end, status] = std::from_chars(name.data(), name.data() + name.size(), block);
        if (status != std::errc() || end == name.data() + name.size() || *end != '.') return std::nullopt;
        name.remove_prefix(static_cast<std::size_t>(end - name.data()));
        if (rest != nullptr) *rest = name;
        return block;
    }

    void check_expert(const GgufTensor& tensor, std::string_view weight, std::uint64_t block) const {
        if (tensor.ne.back() != 1) refuse(tensor, msg::kExtentDiffers(tensor.ne.back(), 1));
        if (rules_.any_width) return;
        const bool hidden = weight == "ffn_up_exps.weight" || weight == "ffn_gate_exps.weight";
        const auto width = hidden ? expert_width(block) : std::nullopt;
        const auto found = static_cast<std::uint64_t>(tensor.ne[1]);
        if (width && found != *width) refuse(tensor, msg::kExtentDiffers(found, *width));
    }

    /// Each block with an indexer of its own needs the tensors of one.
    void check_indexers() const {
        if (row_.memory.indexer != IndexerBlocks::by_types || number("attention.indexer.top_k", 0) == 0)
            return;
        constexpr std::string_view kTypes = "attention.indexer.types";
        if (file_.find(key(kTypes)) == nullptr) return;
        for (std::uint64_t b = 0; b < trunk_; ++b)
            if (number(kTypes, b).value_or(0) != 0)
                require_tensor(fmt::format("blk.{}.indexer.k_norm.weight", b));
    }

    /// One number for a weight, or one for each expert.
    void check_scale(const GgufTensor& scale) const {
        const auto weight = scaled_weight(scale.name);
        if (!weight) return;
        const auto count = weight->ends_with("_exps.weight") ? number("expert_count", 0) : 1;
        const Shape wanted{static_cast<std::int64_t>(count.value_or(0)), 1, 1, 1};
        if (scale.ne != wanted)
            refuse(scale, msg::kShapeDiffers(format_shape(scale.ne), format_shape(wanted)));
        if (const auto found = file_.find_tensor(*weight))
            check_scaled_bias(scale, *weight, file_.tensors()[*found].type);
        // llama.cpp aborts: without token embeddings, the output weight is both.
        if (*weight == "output.weight" && !file_.find_tensor("token_embd.weight")) refuse_unknown(scale);
    }

    /// Graphs abort if they add a bias to a product of a feed-forward before they scale it.
    void check_scaled_bias(const GgufTensor& scale, std::string_view weight, ElementType type) const {
        constexpr std::string_view kDense = "ffn_up ffn_gate ffn_down";
        const std::string_view stem = weight.substr(0, weight.rfind('.'));
        const std::string_view part = stem.substr(stem.rfind('.') + 1);
        if (type == ElementType::nvfp4 && scale.name.ends_with(".scale") && lists(kDense, part) &&
            lists(row_.scaled, part) && file_.find_tensor(std::string(stem) + ".bias"))
            refuse(scale, msg::kScaleAndBias);
    }

    void check_widths() const {
        for (const GgufTensor& tensor : file_.tensors()) {
            std::string_view name = tensor.name;
            const auto block = block_of(name, &name);
            check_extents(tensor, name, block.value_or(0));
            check_scale(tensor);
            check_bias(tensor, name);
            check_rope_factors(tensor);
            check_classes(tensor);
            check_dense_outputs(tensor);
            if (row_.gives_embeddings && row_.memory.output == OutputWeight::tied && name == "output.weight")
                require_shape_of("token_embd.weight", tensor);
            if (!block) continue;
            name.remove_prefix(1);
            check_same_shape(tensor, name);
            check_shared_extents(tensor, name);
            if (name.ends_with("_exps.weight")) check_expert(tensor, name, *block);
            const auto width = hidden_width(name, *block);
            if (width && static_cast<std::uint64_t>(tensor.ne[0]) != *width)
                refuse(tensor, msg::kRowWidthDiffers(tensor.ne[0], *width));
        }
    }

    /// Loaders refuse files that lack a tensor, and those with others than they ask for.
    void check_tensors() const {
        if (const auto missing = missing_tensor(file_, rules_)) require_tensor(*missing);
        const KnownTensors known(file_, row_);
        for (const GgufTensor& tensor : file_.tensors()) {
            const auto block = tensor.name.starts_with("blk.") ? block_of(tensor.name) : std::nullopt;
            if (!known.knows(tensor) || (block && *block >= blocks_)) refuse_unknown(tensor);
        }
    }

    const GgufFile& file_;
    std::string prefix_;
    const Architecture& row_;
    const LoaderRules& rules_;
    std::uint64_t blocks_;
    std::uint64_t trunk_;  ///< of them
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
