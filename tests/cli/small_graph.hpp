// SPDX-License-Identifier: MIT
#pragma once

namespace splitscope::test {

/// The text of a graph with one input and one node.
inline constexpr const char* kSmallGraph = R"({"format":"splitscope-graph","version":1,"name":"g","tensors":[
{"name":"x","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"NONE","flags":["input"]},
{"name":"a","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"SQR","src":[0]}],"nodes":[1],"leafs":[0]})";

}  // namespace splitscope::test
