// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace splitscope {

class ModelBuilder;
struct ModelGraph;

/// How positions turn a head: neighbouring elements, the two halves against each other, or halves whose
/// frequencies belong to several positions per token (sections one after the other, or interleaved).
enum class RopeKind : std::uint8_t { none, pairs, halves, sections, interleaved };

/// What layers with a window look back at: the last cells, those of the same chunk, or as many on both sides.
enum class WindowKind : std::uint8_t { none, standard, chunked, symmetric };

/// Which layers have a window where the file only gives its width.
struct WindowRule {
    WindowKind kind = WindowKind::none;
    std::uint32_t period = 0;  ///< of so many layers all but one slide; 0 = the file has to say, 1 = none
    std::uint32_t layers = 0;  ///< only models of so many layers have one; 0 = all
    std::uint32_t width = 0;   ///< where the file gives none; 0 = then nothing slides
    bool fixed_width = false;  ///< `width` whatever the file says, which only switches the window on and off
    bool full_first = false;   ///< the layer that does not slide is the first of a period, not the last
    /// RoPE of the layers that slide where the file gives none: a base of 10000 and no scaling instead of
    /// those of the other layers.
    bool own_base = false;
    bool unscaled = false;
};

/// Where a model keeps what it has seen.
enum class CacheKinds : std::uint8_t {
    attention,  ///< keys and values
    latent,     ///< keys only, which values are part of
    recurrent,
    hybrid,  ///< some layers recurrent, some with attention
    none,
};

/// The page that builds an architecture's graph from the vocabulary of ModelBuilder.
using ModelPage = ModelGraph(ModelBuilder& builder);

/// One row of the table: what an architecture is, apart from its graph.
struct Architecture {
    std::string_view name;
    ModelPage* page = nullptr;  ///< null: weights and caches are known, the graph is not
    RopeKind rope = RopeKind::halves;
    CacheKinds caches = CacheKinds::attention;
    WindowRule window = {};
    /// Where the file gives none: what scores and logits are cut off at.
    float attention_cap = 0.0F;
    float output_cap = 0.0F;
    std::uint32_t alibi_layers = 0;  ///< only models of so many layers have the bias; 0 = all
    float alibi = 0.0F;              ///< bias of the scores per distance where the file gives none
    bool gives_embeddings = false;
    bool reads_encoder = false;  ///< its graph reads what another graph of the same model gives
    bool without_flash = false;  ///< the reference switches flash attention off
    bool older_forms = false;    ///< the graphs of 2025-02 and before are known too
};

std::span<const Architecture> architectures();
/// Null when it is not in the table.
const Architecture* find_architecture(std::string_view name);

}  // namespace splitscope
