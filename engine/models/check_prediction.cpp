// SPDX-License-Identifier: MIT
#include "engine/models/check_prediction.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "engine/formats/messages.hpp"
#include "engine/models/architectures.hpp"
#include "engine/models/known_tensors.hpp"
#include "engine/models/messages.hpp"
#include "engine/models/trunk_blocks.hpp"
#include "engine/models/vocabulary.hpp"
#include "engine/support/error.hpp"
#include "engine/tensor/shape.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kBlockPrefix = "blk.";
/// Required only where queries have a low rank.
constexpr std::string_view kLowRankQueries = "attn_q_a.weight attn_q_a_norm.weight attn_q_b.weight";

class PredictionCheck {
 public:
    PredictionCheck(const GgufFile& file, const Architecture& architecture)
        : file_(file),
          rules_(architecture.loader),
          prefix_(std::string(file.string_value("general.architecture").value_or("")) + "."),
          blocks_(file.unsigned_value(prefix_ + "block_count").value_or(0)),
          trunk_(trunk_blocks(file)) {}

    void run() const {
        if (rules_.predicting.empty() || blocks_ > file_.tensors().size()) return;
        const bool present = find(trunk_, "nextn.eh_proj.weight") != nullptr;
        for (std::uint64_t b = trunk_; b < blocks_; ++b) {
            if (present || !rules_.optional_mtp) check_required(b);
            for (const std::string_view kind : rules_.predicting.split())
                check_input(b, kind.substr(kBlockPrefix.size()));
        }
        check_like_trunk();
    }

 private:
    const GgufTensor* find(std::uint64_t block, std::string_view part) const {
        const auto found = file_.find_tensor(fmt::format("blk.{}.{}", block, part));
        return found ? &file_.tensors()[*found] : nullptr;
    }
    std::uint64_t entry(std::string_view key, std::uint64_t block) const {
        const std::string name = prefix_ + std::string(key);
        if (const auto* numbers = array_of<std::uint32_t>(file_, name))
            return block < numbers->size() ? (*numbers)[block] : 0;
        if (const auto* numbers = array_of<std::int32_t>(file_, name))
            return block < numbers->size() && (*numbers)[block] > 0
                       ? static_cast<std::uint64_t>((*numbers)[block])
                       : 0;
        return file_.unsigned_value(name).value_or(0);
    }

    [[noreturn]] void refuse(const GgufTensor& tensor, const Shape& wanted) const {
        throw Error(ErrorKind::bad_file, msg::kShapeDiffers(format_shape(tensor.ne), format_shape(wanted)),
                    ErrorPlace(msg::kPlaceTensor(tensor.name)).within(file_.path_of(tensor.part)),
                    msg::kMetadataContradicts);
    }

    void check_required(std::uint64_t block) const {
        const bool shared = !rules_.counts_shared || entry("expert_shared_count", block) > 0;
        for (const std::string_view kind : rules_.required_predicting.split()) {
            const std::string_view part = kind.substr(kBlockPrefix.size());
            if (lists(kLowRankQueries, part) && find(block, "attn_q.weight") != nullptr) continue;
            if (!shared && part.ends_with("_shexp.weight")) continue;
            const GgufTensor* tensor = find(block, part);
            // Without heads, there is no such weight.
            const bool empty = part == "attn_output.weight" && entry("attention.head_count", block) == 0;
            if (tensor != nullptr && !empty) continue;
            throw Error(
                ErrorKind::bad_file, msg::kTensorMissing,
                ErrorPlace(msg::kPlaceTensor(fmt::format("blk.{}.{}", block, part))).within(file_.path()),
                msg::kArchitectureNeedsTensor(prefix_.substr(0, prefix_.size() - 1)));
        }
    }

    /// Tensors of MTP only, whose shapes follow from the embedding and the vocabulary.
    void check_input(std::uint64_t block, std::string_view part) const {
        const GgufTensor* tensor = find(block, part);
        const auto embeddings = file_.find_tensor("token_embd.weight");
        if (tensor == nullptr || !embeddings) return;
        const Shape& table = file_.tensors()[*embeddings].ne;
        const auto width = static_cast<std::int64_t>(entry("embedding_length", block));
        Shape wanted{width, 1, 1, 1};
        if (part == "nextn.eh_proj.weight") wanted = {2 * width, width, 1, 1};
        if (part == "nextn.embed_tokens.weight" || part == "nextn.shared_head_head.weight")
            wanted = {width, table[1], 1, 1};
        if (tensor->ne != wanted) refuse(*tensor, wanted);
    }

    /// What two entries of an array have in common if they are equal.
    template <class Entry>
    static auto key_of(const Entry& entry) {
        if constexpr (std::is_same_v<Entry, std::string>)
            return std::string_view(entry);
        else if constexpr (std::is_same_v<Entry, float>)
            return std::bit_cast<std::uint32_t>(entry);  // NaN has no order
        else if constexpr (std::is_same_v<Entry, double>)
            return std::bit_cast<std::uint64_t>(entry);
        else
            return entry;
    }

    /// Per block, a number that blocks share if all arrays with one entry per block have the same entry for
    /// them. Arrays of attention are irrelevant for a feed-forward.
    std::vector<std::size_t> groups_of_blocks(bool feeds) const {
        std::vector<std::size_t> groups(blocks_, 0);
        for (const auto& [key, value] : file_.metadata()) {
            const auto* array = std::get_if<std::shared_ptr<const GgufArray>>(&value);
            if (array == nullptr || !key.starts_with(prefix_)) continue;
            if (feeds && key.starts_with(prefix_ + "attention.")) continue;
            std::visit(
                [&]<class Entry>(const std::vector<Entry>& entries) {
                    if (entries.size() < blocks_) return;
                    std::map<std::pair<std::size_t, decltype(key_of<Entry>(entries[0]))>, std::size_t> finer;
                    for (std::size_t b = 0; b < blocks_; ++b)
                        groups[b] = finer.try_emplace({groups[b], key_of<Entry>(entries[b])}, finer.size())
                                        .first->second;
                },
                (*array)->values);
        }
        return groups;
    }

    /// The part of a block that a tensor is, such as "attn_q.weight", if its name is in its usual form.
    static std::string_view part_of(std::string_view tensor, std::uint64_t block) {
        const std::string prefix = fmt::format("blk.{}.", block);
        return tensor.starts_with(prefix) ? tensor.substr(prefix.size()) : std::string_view{};
    }

    /// Other tensors have the shapes of those of the trunk, unless blocks that slide have others.
    void check_like_trunk() const {
        const bool slides = file_.find(prefix_ + "attention.key_length_mla_swa") != nullptr;
        const std::array groups{groups_of_blocks(false), groups_of_blocks(true)};
        const auto feeds = [](std::string_view part) { return part.starts_with("ffn_"); };
        // A search through the blocks for each tensor would be quadratic.
        std::map<std::pair<std::size_t, std::string_view>, std::pair<std::uint64_t, const Shape*>> last;
        std::vector<std::pair<const GgufTensor*, std::uint64_t>> predicting;
        for (const GgufTensor& tensor : file_.tensors()) {
            const auto block = block_number(tensor.name);
            if (!block || *block >= blocks_) continue;
            const std::string_view part = part_of(tensor.name, *block);
            if (part.empty() || (slides && !feeds(part))) continue;
            if (*block >= trunk_) {
                predicting.emplace_back(&tensor, *block);
                continue;
            }
            auto& [number, shape] = last[{groups[feeds(part)][*block], part}];
            if (shape != nullptr && number > *block) continue;
            number = *block;
            shape = &tensor.ne;
        }
        for (const auto& [tensor, block] : predicting) {
            const std::string_view part = part_of(tensor->name, block);
            const auto same = last.find({groups[feeds(part)][block], part});
            if (same != last.end() && *same->second.second != tensor->ne)
                refuse(*tensor, *same->second.second);
        }
    }

    const GgufFile& file_;
    const LoaderRules& rules_;
    const std::string prefix_;
    const std::uint64_t blocks_;
    const std::uint64_t trunk_;
};

}  // namespace

void check_prediction(const GgufFile& file, const Architecture& architecture) {
    PredictionCheck(file, architecture).run();
}

}  // namespace splitscope
