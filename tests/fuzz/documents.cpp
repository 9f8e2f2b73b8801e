// SPDX-License-Identifier: MIT
// Text formats: accepted documents are written and read again, identical byte for byte.
#include "engine/formats/graph_json.hpp"
#include "engine/formats/machine_json.hpp"
#include "engine/formats/op_support.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/targets.hpp"

namespace splitscope::fuzz {

void graph_json(Bytes bytes) {
    expecting_errors([&] {
        const Graph graph = parse_graph_json(text_of(bytes));
        const std::string text = write_graph_json(graph);
        require(write_graph_json(parse_graph_json(text)) == text, "a written graph reads back as it was");
    });
}

void machine_json(Bytes bytes) {
    expecting_errors([&] {
        const Machine machine = parse_machine_json(text_of(bytes));
        const std::string text = write_machine_json(machine);
        require(write_machine_json(parse_machine_json(text)) == text,
                "a written machine reads back as it was");
    });
}

void op_support(Bytes bytes) {
    expecting_errors([&] {
        const OpSupportFile support = parse_op_support(text_of(bytes), "table");
        for (const OpSupportTable& table : support.tables) {
            table.unsupported_ops();
            table.unsupported_types();
            table.depends();
        }
    });
}

}  // namespace splitscope::fuzz
