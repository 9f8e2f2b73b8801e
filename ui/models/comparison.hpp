// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "engine/session/session.hpp"
#include "engine/session/summary.hpp"

namespace splitscope::ui {

/// A tensor that two sides decided on differently, or that only one of them has.
struct ComparedTensor {
    TensorId a;
    TensorId b;
    std::optional<Pass> pass;  ///< first pass that differs; none for a tensor of one side only
    std::optional<std::size_t> decision_a;
    std::optional<std::size_t> decision_b;
    bool elsewhere = false;  ///< ends up on another backend
};

/// Two sides and how they differ: the same session under two generations, or two sessions.
struct Comparison {
    QString name_a;
    QString name_b;
    /// Which graph each side decides and how it was built, for people.
    QString built;
    std::shared_ptr<const Analysis> a;
    std::shared_ptr<const Analysis> b;
    Summary summary_a;
    Summary summary_b;
    std::vector<ComparedTensor> tensors;
    std::size_t elsewhere = 0;    ///< none where a side gave up: it has no end
    std::size_t not_reached = 0;  ///< by a side that gave up
    /// Per tensor of a's graph: the one of the analysis that is open, none where it has no counterpart. An
    /// older generation's graph of a model is written differently.
    std::vector<TensorId> open_tensor;
    bool open_is_compared = true;        ///< a's graph is the one on screen
    std::optional<SplitId> first_split;  ///< first that differs; of two generations only

    bool gave_up() const { return a->schedule->error || b->schedule->error; }
    bool same() const { return tensors.empty() && !first_split && !gave_up(); }
};

/// The analysed session's graph decided by its own generation (a) and another (b). Throws what analyse()
/// throws.
Comparison compare_with_generation(std::shared_ptr<const Analysis> analysis, Generation other,
                                   const JobContext& job);

/// An analysis (a) and what is in a file (b): a session, a model or a captured graph. Throws what opening
/// throws.
Comparison compare_with_file(std::shared_ptr<const Analysis> analysis, const std::filesystem::path& path,
                             const JobContext& job);

}  // namespace splitscope::ui
