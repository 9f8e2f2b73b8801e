// SPDX-License-Identifier: MIT
#pragma once

#include "engine/messages/message.hpp"

namespace splitscope::msg {

// Sections.
inline constexpr Sentence<> kSummarySection{"report.summary", "Summary"};
inline constexpr Sentence<> kFindingsSection{"report.findings", "Findings"};
inline constexpr Sentence<> kSuggestionsSection{"report.suggestions", "Suggestions"};
inline constexpr Sentence<> kMachineSection{"report.machine", "Machine"};
inline constexpr Sentence<> kPassesSection{"report.passes", "Schedule by pass"};
inline constexpr Sentence<> kSplitsSection{"report.splits", "Splits and copies"};
inline constexpr Sentence<> kBuffersSection{"report.buffers", "Buffers"};
inline constexpr Sentence<> kRunSection{"report.run", "Run"};
inline constexpr Sentence<> kComparisonSection{"report.comparison", "Comparison"};
inline constexpr Sentence<> kProvenanceSection{"report.provenance", "Provenance"};

inline constexpr Sentence<Name> kNoSuchTable{"report.no-such-table", "there is no table '{name}'"};
inline constexpr Sentence<Name> kChooseTable{"report.choose-table", "choose one of: {names}"};
inline constexpr Sentence<> kAddRunAndPrompt{"report.add-run-and-prompt", "add --run and a --prompt"};
inline constexpr Sentence<> kNoTimeline{"report.no-timeline", "there is no timeline without a run"};

}  // namespace splitscope::msg
