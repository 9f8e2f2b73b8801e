// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/window_words.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/attach/messages.hpp"
#include "engine/support/messages.hpp"
#include "ui/models/messages.hpp"

namespace splitscope::ui {
namespace {

struct WindowRow {
    /// Ids, because some components of the engine, such as kinds of devices, are not known here.
    std::string_view id;
    const MessageText* shown;
};

constexpr std::array kWindowRows = {
    WindowRow{"calibrate.name-devices", &msg::kChooseFoundDevices},
    WindowRow{"run.see-devices", &msg::kChooseFoundDevices},
    WindowRow{"devices.list-them", &msg::kChooseFoundDevices},
    WindowRow{"finding.name-devices", &msg::kChooseMachineOrMemory},
    WindowRow{"finding.use-tensor-split", &msg::kDivideByLayers},
    WindowRow{"finding.use-flash-auto", &msg::kFlashWhereSupported},
    WindowRow{"run.disable-flash", &msg::kSetFlashOff},
    WindowRow{"finding.lower-batch-or-context", &msg::kLowerMicroBatchOrContext},
    WindowRow{"finding.try-no-offload", &msg::kDisableOffloadOrEnlarge},
    WindowRow{"finding.use-micro-batch", &msg::kEnlargeMicroBatch},
    WindowRow{"finding.turn-offload-off", &msg::kDisableOffload},
    WindowRow{"finding.overrides-move-attention", &msg::kRulesMoveAttention},
    WindowRow{"finding.move-layers-or-rules", &msg::kMoveLayersOrRemoveRule},
    WindowRow{"plan.no-graph-builder", &msg::kArchitectureNotBuilt},
    WindowRow{"verdict.draft-is-divided", &msg::kDraftDividedByMemory},
    WindowRow{"template.without", &msg::kWritePromptAsExpected},
    WindowRow{"suggest.lightest-lacks", &msg::kLightestLacksMemory},
    WindowRow{"suggest.compute-does-not-fit", &msg::kComputeBuffersLackMemory},
    WindowRow{"suggestion.more-layers", &msg::kPlaceMoreLayersOrSearch},
    WindowRow{"report.add-run-and-prompt", &msg::kRunModelFirst},
    WindowRow{"attach.place-condition", &msg::kStopConditionPlace},
    WindowRow{"capture.open", &msg::kOpenARecording},
    WindowRow{"open.reinstall", &msg::kReinstallSplitscope},
    WindowRow{"file.damaged-or-malicious", &msg::kRefusedAsDamaged},
    WindowRow{"cpu.use-fewer-threads", &msg::kClosePrograms},
    WindowRow{"engine.name-folder", &msg::kChooseEngineFolder},
    WindowRow{"engine.name-found", &msg::kChooseFoundEngine},
    WindowRow{"engine.named-first", &msg::kEngineChosenFirst},
    WindowRow{"engine.not-confirmed", &msg::kEngineNotChosen},
    WindowRow{"engine.name-devices", &msg::kChooseEngineDevices},
    WindowRow{"engine.name-servers-first", &msg::kChooseServersFirst},
    WindowRow{"engine.check-server", &msg::kRestartOrFreeServer},
    WindowRow{"verify.name-devices", &msg::kChooseDevicesOfEngine},
    WindowRow{"finding.lower-micro-batch", &msg::kLowerMicroBatchOrSearch},
    WindowRow{"rule.kept-by-expert-blocks", &msg::kCpuExpertsKeepThem},
    WindowRow{"rule.kept-by-cpu-experts", &msg::kAllExpertsKept},
    WindowRow{"rule.lower-expert-blocks", &msg::kLowerCpuExperts},
    WindowRow{"rule.fewer-expert-blocks", &msg::kNotAllExperts},
    WindowRow{"rule.layer-on-device-too", &msg::kItsLayerToo},
    WindowRow{"finding.keep-more-experts", &msg::kRaiseCpuExperts},
    WindowRow{"finding.keep-experts-of", &msg::kSetCpuExperts},
    WindowRow{"finding.leave-cpu-experts-out", &msg::kSetNoCpuExperts},
    WindowRow{"finding.lower-context", &msg::kLowerContextOrSearch},
    WindowRow{"placement.leave-split-mode-out", &msg::kSplitOtherwise},
    WindowRow{"finding.shares-unused", &msg::kSharesWithoutDevice},
    WindowRow{"finding.place-where-used", &msg::kRemoveRuleOrPlace},
    WindowRow{"finding.attention-reads-caches", &msg::kAttentionReadsFromCpu},
    WindowRow{"finding.keep-caches-on-devices", &msg::kKeepCachesThere},
    WindowRow{"preset.give-as-backends", &msg::kChooseOfThisComputer},
    WindowRow{"preset.give-memory-of-card", &msg::kGiveMemoryOrFile},
    WindowRow{"switches.describe-devices", &msg::kDescribeDevicesInMachine},
    WindowRow{"switches.give-downloaded", &msg::kOpenDownloaded},
};

struct WindowPlace {
    std::string_view name;
    const Sentence<>* shown;
};

constexpr std::array kWindowPlaces = {
    WindowPlace{"--backends", &msg::kPlaceDevices},
    WindowPlace{"--cache-type-v", &msg::kPlaceCachedValues},
    WindowPlace{"--cpu-moe", &msg::kPlaceCpuExperts},
    WindowPlace{"--device", &msg::kPlaceDevices},
    WindowPlace{"--format trace", &msg::kPlaceFormat},
    WindowPlace{"--main-gpu", &msg::kPlaceMainDevice},
    WindowPlace{"--n-cpu-moe", &msg::kPlaceCpuExperts},
    WindowPlace{"--override-tensor", &msg::kPlaceOverrideRules},
};

}  // namespace

const MessageText& window_row(const MessageText& row) {
    const auto found = std::ranges::find(kWindowRows, row.id, &WindowRow::id);
    return found == kWindowRows.end() ? row : *found->shown;
}

Message in_window(const Message& message) {
    if (message.empty()) return message;
    const std::vector<Argument>& arguments = message.arguments();
    // Names are foreign texts, which have no id.
    if (message.id().empty() && arguments.size() == 1) {
        if (const auto* name = std::get_if<Name>(arguments.data())) {
            const auto* const found = std::ranges::find(kWindowPlaces, name->text, &WindowPlace::name);
            return found == kWindowPlaces.end() ? message : Message(*found->shown);
        }
    }
    std::vector<Argument> shown = arguments;
    for (Argument& argument : shown) {
        if (auto* list = std::get_if<MessageList>(&argument))
            std::ranges::transform(list->items, list->items.begin(), in_window);
    }
    return {*message.text(), std::move(shown)};
}

}  // namespace splitscope::ui
