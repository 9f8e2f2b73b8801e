// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace splitscope::test {

/// A graph document of so many tensors that each record so many sizes of allocation: they take many times the
/// memory of their text.
inline std::string graph_of_sizes(std::size_t tensors, std::size_t sizes_of_each) {
    std::string tensor = R"({"name":"","type":"f32","ne":[1,1,1,1],"nb":[4,4,4,4],"op":"NONE",)"
                         R"("flags":["input"],"alloc_size":{"a":1)";
    for (std::size_t i = 1; i < sizes_of_each; ++i) tensor += ",\"" + std::to_string(i) + "\":1";
    tensor += "}}";
    std::string text = R"({"format":"splitscope-graph","version":1,"name":"x","tensors":[)";
    for (std::size_t i = 0; i < tensors; ++i) text += (i == 0 ? "" : ",") + tensor;
    return text + R"(],"nodes":[],"leafs":[0]})";
}

}  // namespace splitscope::test
