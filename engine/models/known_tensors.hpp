// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/formats/gguf.hpp"
#include "engine/models/architectures.hpp"

namespace splitscope {

/// The name without numbers: "blk.attn_q.weight".
std::string kind_of_tensor(std::string_view name);

/// The weight to which a scale ("blk.3.attn_q.scale") or a scale of its input belongs; none for other tensors
/// and for weights whose scales are not known.
std::optional<std::string> scaled_weight(std::string_view tensor);

/// Whether llama.cpp's loader of the architecture ever asks for tensors of this kind.
bool loader_names(const Architecture& architecture, std::string_view kind);

/// The tensors of a file for which llama.cpp's loader asks; it refuses files with any other.
class KnownTensors {
 public:
    KnownTensors(const GgufFile& file, const Architecture& architecture);

    /// `tensor` is one of the file.
    bool knows(const GgufTensor& tensor) const;

    /// Whether a known tensor is loaded, too: those of MTP blocks usually are not.
    bool loads(std::string_view name) const;

 private:
    bool knows_scale(std::string_view kind, const std::string& weight) const;
    bool knows_feed_forward(const GgufTensor& tensor, std::string_view kind) const;
    bool knows_rope_factors(std::string_view kind) const;
    bool is_predicting(std::string_view name) const;
    bool is_of_other_block(std::string_view name, std::string_view kind) const;
    bool is_of_separate_block(std::string_view name, std::string_view kind) const;
    bool is_of_block_without_indexer(std::string_view name, std::string_view kind) const;
    /// Whether the block has another weight instead.
    bool is_replaced(std::string_view name, std::string_view kind) const;
    /// Whether the block of `name` has this part, such as "ffn_up.weight".
    bool beside(std::string_view name, std::string_view part) const;

    const GgufFile& file_;
    const Architecture& architecture_;
    std::uint64_t first_predicting_ = 0;
    std::uint64_t leading_dense_ = 0;
    bool has_experts_ = false;
    bool scales_long_ = false;
};

}  // namespace splitscope
