// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

inline constexpr Sentence<> kMachineAndComputer{"library.machine-and-computer",
                                                "a machine file and devices of this computer were given"};
inline constexpr Sentence<> kLeaveOneOut{"library.leave-one-out", "leave one of them out"};
inline constexpr Sentence<> kGraphHasNoTensor{"library.no-tensor", "the graph has no such tensor"};
inline constexpr Sentence<> kUseTensorName{"library.use-tensor-name",
                                           "use a name of its nodes or weights, or NAME@OP#N"};
inline constexpr Sentence<> kNothingToPlace{"library.nothing-to-place",
                                            "a graph has no weights and caches to place"};
inline constexpr Sentence<> kOpenModel{"library.open-model", "open a model"};
inline constexpr Sentence<> kNodesOrBreakpoints{"library.nodes-or-breakpoints",
                                                "every node and breakpoints were asked for"};
inline constexpr Sentence<> kBreakpointsWithoutAnswer{"library.breakpoints-without-answer",
                                                      "there are breakpoints and nobody to answer them"};
inline constexpr Sentence<> kGiveOnStop{"library.give-on-stop", "give on_stop"};

}  // namespace splitscope::msg
