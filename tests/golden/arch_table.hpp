// SPDX-License-Identifier: MIT
// The table of architectures in docs/coverage.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/golden/golden_kind.hpp"

namespace splitscope::golden {

enum class ArchKind : std::uint8_t {
    weights,
    caches,
    compute,
    reordered,  ///< compute where the device reorders nodes
    nodes,
    splits,
    sizes,   ///< of the context, its batches and their reservation; inputs and their copies
    graphs,  ///< prompt and decode node by node
    numbers  ///< logits and embeddings
};
inline constexpr std::array kArchKinds = {ArchKind::weights,   ArchKind::caches, ArchKind::compute,
                                          ArchKind::reordered, ArchKind::nodes,  ArchKind::splits,
                                          ArchKind::sizes,     ArchKind::graphs, ArchKind::numbers};
std::string_view name_of(ArchKind kind);

class ArchScores {
 public:
    Score& operator[](ArchKind kind) { return scores_[static_cast<std::size_t>(kind)]; }
    const Score& operator[](ArchKind kind) const { return scores_[static_cast<std::size_t>(kind)]; }

 private:
    std::array<Score, kArchKinds.size()> scores_{};
};

struct ArchRow {
    std::string name;
    std::string architecture;
    bool has_builder = false;
    ArchScores scores;

    /// "built" if everything equals the recording; an architecture with a different graph does not count as
    /// built.
    std::string_view state() const;
    /// The row as Markdown.
    std::string text() const;
};

/// The row of a recorded model; none if it is not listed.
std::optional<ArchRow> documented_row(const std::string& name);
std::vector<std::string> documented_names();
/// Replaces or adds a row and updates the totals of the table. Safe for several processes.
void write_row(const ArchRow& row);
/// The table covers the folder known at build time.
bool is_documented_folder();

}  // namespace splitscope::golden
