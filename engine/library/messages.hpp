// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

inline constexpr Sentence<> kMachineAndComputer{
    "library.machine-and-computer", "both a machine file and devices of this computer were given"};
inline constexpr Sentence<> kLeaveOneOut{"library.leave-one-out", "leave one of them out"};
inline constexpr Sentence<> kLeaveSettingOut{"library.leave-setting-out",
                                             "leave the setting out, or name its devices"};
inline constexpr Sentence<> kGraphHasNoTensor{"library.no-tensor", "the graph has no such tensor"};
inline constexpr Sentence<> kUseTensorName{"library.use-tensor-name",
                                           "use a name of its nodes or weights, or NAME@OP#N"};
inline constexpr Sentence<> kNothingToPlace{"library.nothing-to-place",
                                            "a recorded graph has no weights or caches to place"};
inline constexpr Sentence<> kOpenModel{"library.open-model", "open a model"};
inline constexpr Sentence<> kNodesOrBreakpoints{"library.nodes-or-breakpoints",
                                                "both every node and breakpoints were requested"};
inline constexpr Sentence<> kBreakpointsWithoutAnswer{
    "library.breakpoints-without-answer", "there are breakpoints, but no function to call at them"};
inline constexpr Sentence<> kGiveOnStop{"library.give-on-stop", "give on_stop"};

}  // namespace splitscope::msg
