// SPDX-License-Identifier: MIT
// An external program: schedules one operation and prints a line about it.
#include <iostream>

#include "engine/formats/graph_json.hpp"
#include "engine/session/summary.hpp"

int main() {
    constexpr const char* kGraph = R"({"format":"splitscope-graph","version":1,"name":"one","tensors":[
{"name":"x","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"NONE","flags":["input"]},
{"name":"y","type":"f32","ne":[4,1,1,1],"nb":[4,16,16,16],"op":"SQR","src":[0]}],"nodes":[1],"leafs":[0]})";
    auto file = std::make_shared<splitscope::OpenedFile>();
    file->graph = std::make_shared<const splitscope::Graph>(splitscope::parse_graph_json(kGraph));
    const auto analysis = splitscope::analyse(splitscope::default_session(file));
    std::cout << splitscope::summarise(*analysis).line(*analysis->schedule) << '\n';
    return analysis->schedule->splits.size() == 1 ? 0 : 1;
}
