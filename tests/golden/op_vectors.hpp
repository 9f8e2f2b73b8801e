// SPDX-License-Identifier: MIT
// Single operations computed by the reference engine (golden/ops), for any backend.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "backends/interface/backend.hpp"
#include "engine/tensor/graph.hpp"

namespace splitscope::golden {

/// One operation with its inputs and its recorded result.
struct OpVector {
    std::string name;
    Graph graph;
    TensorId result;
    std::vector<std::vector<std::byte>> data;  ///< of each tensor; empty for a result inside a source
    std::vector<std::byte> expected;
    double nmse_max = 0;
    bool row_sets = false;
};

/// The contents of a file.
std::vector<std::byte> read_bytes(const std::filesystem::path& path);

/// The JSON files of the folder, in order.
std::vector<std::filesystem::path> op_files(const std::filesystem::path& folder);
/// The vectors of one file.
std::vector<OpVector> read_op_vectors(const std::filesystem::path& file);

/// "f16,f32 -> f32"
std::string types_of(const OpVector& v);

/// Why the backend does not support this operation, if so.
std::string refusal(const OpVector& v, const Backend& backend);

/// The result computed by a backend, which has to support the operation.
std::vector<std::byte> computed(OpVector& v, Backend& backend);

/// Computes the vector; empty if it is within its tolerance, else the difference.
std::string mismatch(OpVector& v, Backend& backend);

}  // namespace splitscope::golden
