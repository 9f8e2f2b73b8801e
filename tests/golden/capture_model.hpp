// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/models/model.hpp"

namespace splitscope::golden {

/// "2025-02.llama-1b-fa.gpu-half.decode" in parts.
struct CaptureName {
    explicit CaptureName(std::string_view folder);
    GraphForm form = GraphForm::g2026_08;
    std::string model;
    bool flash_attention = false;
};

/// One line per leaf and node, identified by position, so that two graphs can be compared. Buffers by the
/// names of `buffers`, if any.
std::vector<std::string> describe_graph(const Graph& graph,
                                        const std::map<std::string, std::string>& buffers = {});
/// The first different line, or none.
std::string first_difference(const std::vector<std::string>& ours, const std::vector<std::string>& recorded);

/// The model of a capture; derived from its graph if there is no file.
std::shared_ptr<const Model> model_of(const CaptureName& name, const Graph& graph);
ModelGraphOptions options_of(const CaptureName& name, const Graph& graph);
/// Weights and caches of the recorded graph by name; a weight can be in several buffers.
std::multimap<std::string, const Tensor*> allocated(const Graph& graph);

}  // namespace splitscope::golden
