// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace splitscope::fuzz {

using Bytes = std::span<const std::uint8_t>;

// Each accepts any bytes. Error, the expected result of a bad file, is caught; any other end is a finding:
// another exception, a sanitizer report, a violated guarantee (require.hpp), a time-out.
void gguf(Bytes bytes);              ///< a model file: open, model, tokenizer, graphs of both forms, schedule
void models(Bytes bytes);            ///< model builders on arbitrarily changed metadata and tensors
void tokenizers(Bytes bytes);        ///< a vocabulary and texts derived from the bytes
void templates(Bytes bytes);         ///< a chat template: a text within bounds, or an error
void run_model(Bytes bytes);         ///< runs of tiny models with the bytes as weights
void graph_json(Bytes bytes);        ///< parse, validate, write and parse again
void machine_json(Bytes bytes);      ///< parse, write and parse again
void session_json(Bytes bytes);      ///< parse; the files it names do not exist
void scheduler_log(Bytes bytes);     ///< debug logs, and graphs and machines derived from them
void dot_graph(Bytes bytes);         ///< dumps of graphs
void recording(Bytes bytes);         ///< output of the preloaded recorder
void capture_json(Bytes bytes);      ///< stored recordings: parse, write and parse again
void op_support(Bytes bytes);        ///< support tables in CSV
void graphviz_plain(Bytes bytes);    ///< output of Graphviz: a complete layout, or none
void patterns(Bytes bytes);          ///< name patterns and placement overrides
void schedules(Bytes bytes);         ///< scheduler, allocator, replay on generated graphs and machines
void executor(Bytes bytes);          ///< runs with backends that fail, throw and recover
void channel_messages(Bytes bytes);  ///< both ends of the channel of attach, against any messages
void engine_channel(Bytes bytes);    ///< messages between the program and an engine's process
void reports(Bytes bytes);           ///< every report format, names from the bytes

struct Target {
    std::string_view name;
    void (*run)(Bytes);
};

inline constexpr std::array kTargets = {Target{"gguf", gguf},
                                        Target{"models", models},
                                        Target{"tokenizers", tokenizers},
                                        Target{"templates", templates},
                                        Target{"run_model", run_model},
                                        Target{"graph_json", graph_json},
                                        Target{"machine_json", machine_json},
                                        Target{"session_json", session_json},
                                        Target{"scheduler_log", scheduler_log},
                                        Target{"dot_graph", dot_graph},
                                        Target{"recording", recording},
                                        Target{"capture_json", capture_json},
                                        Target{"op_support", op_support},
                                        Target{"graphviz_plain", graphviz_plain},
                                        Target{"patterns", patterns},
                                        Target{"schedules", schedules},
                                        Target{"executor", executor},
                                        Target{"channel_messages", channel_messages},
                                        Target{"engine_channel", engine_channel},
                                        Target{"reports", reports}};

inline std::string_view text_of(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace splitscope::fuzz
