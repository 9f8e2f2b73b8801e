// SPDX-License-Identifier: MIT
#include "engine/models/check_prediction.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

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
        for (const GgufTensor& tensor : file_.tensors()) check_like_trunk(tensor);
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

    /// Whether all arrays with one entry per block have the same entry for both; those of attention are
    /// irrelevant for a feed-forward.
    bool alike(std::uint64_t a, std::uint64_t b, bool feeds) const {
        for (const auto& [key, value] : file_.metadata()) {
            const auto* array = std::get_if<std::shared_ptr<const GgufArray>>(&value);
            if (array == nullptr || !key.starts_with(prefix_)) continue;
            if (feeds && key.starts_with(prefix_ + "attention.")) continue;
            const bool equal = std::visit(
                [&](const auto& entries) { return entries.size() < blocks_ || entries[a] == entries[b]; },
                (*array)->values);
            if (!equal) return false;
        }
        return true;
    }

    /// Other tensors have the shapes of those of the trunk, unless blocks that slide have others.
    void check_like_trunk(const GgufTensor& tensor) const {
        const bool feeds = kind_of_tensor(tensor.name).starts_with("blk.ffn_");
        if (!feeds && file_.find(prefix_ + "attention.key_length_mla_swa") != nullptr) return;
        // A loop over the blocks would be quadratic in hostile files.
        const auto block = block_number(tensor.name);
        if (!block || *block < trunk_ || *block >= blocks_) return;
        const std::string prefix = fmt::format("blk.{}.", *block);
        if (!tensor.name.starts_with(prefix)) return;
        const std::string_view part = std::string_view(tensor.name).substr(prefix.size());
        for (std::uint64_t other = trunk_; other-- > 0;) {
            const GgufTensor* same = find(other, part);
            if (same == nullptr || !alike(*block, other, feeds)) continue;
            if (same->ne != tensor.ne) refuse(tensor, same->ne);
            return;
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
