// SPDX-License-Identifier: MIT
#include "engine/planning/other_switches.hpp"

#include <algorithm>

#include "engine/models/name_list.hpp"
#include "engine/planning/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

constexpr std::string_view kNeutralValues =
    "-t --threads -tb --threads-batch --threads-http -C --cpu-mask -Cr --cpu-range --cpu-strict --prio "
    "--poll -Cb --cpu-mask-batch -Crb --cpu-range-batch --cpu-strict-batch --prio-batch --poll-batch --numa "
    "--delay --rope-scaling --rope-scale --rope-freq-base --rope-freq-scale --yarn-orig-ctx "
    "--yarn-ext-factor --yarn-attn-factor --yarn-beta-slow --yarn-beta-fast -dt --defrag-thold "
    "-s --seed --temp --temperature --top-k --top-p --top-nsigma --top-n-sigma --min-p --xtc-probability "
    "--xtc-threshold --typical --typical-p --samplers --sampler-seq --sampling-seq --repeat-last-n "
    "--repeat-penalty --presence-penalty --frequency-penalty --dry-multiplier --dry-base "
    "--dry-allowed-length --dry-penalty-last-n --dry-sequence-breaker --adaptive-target --adaptive-decay "
    "--dynatemp-range --dynatemp-exp --mirostat --mirostat-lr --mirostat-ent --grammar --grammar-file -j "
    "--json-schema -jf --json-schema-file -l --logit-bias -f --file -bf --binary-file -sys --system-prompt "
    "-sysf --system-prompt-file -r --reverse-prompt --in-prefix --in-suffix --prompt-cache --keep --chunks "
    "-ptc --print-token-count --image --audio --video --image-min-tokens --image-max-tokens --host --port "
    "--path --media-path -a --alias --tags --api-key --api-key-file --api-prefix --ssl-key-file "
    "--ssl-cert-file --cors-origins --cors-methods --cors-headers --tools --mcp-servers-config "
    "--mcp-servers-json --ui-config --webui-config --ui-config-file --webui-config-file -to --timeout "
    "--sse-ping-interval --sleep-idle-seconds --chat-template --chat-template-file --chat-template-kwargs "
    "--reasoning-format --reasoning-budget --reasoning-budget-message --cache-reuse --slot-save-path -sps "
    "--slot-prompt-similarity -cram --cache-ram -ctxcp --ctx-checkpoints --swa-checkpoints -cms "
    "--checkpoint-min-step -lcs --lookup-cache-static -lcd --lookup-cache-dynamic --draft --draft-n "
    "--draft-max --draft-min --draft-n-min --draft-p-min --draft-p-split --spec-draft-n-max "
    "--spec-draft-n-min --spec-draft-p-min --spec-draft-p-split --spec-draft-threads -td --threads-draft "
    "--spec-draft-threads-batch -tbd --threads-batch-draft --spec-draft-cpu-mask -Cd --cpu-mask-draft "
    "--spec-draft-cpu-range -Crd --cpu-range-draft --spec-draft-cpu-strict --cpu-strict-draft "
    "--spec-draft-prio --prio-draft --spec-draft-poll --poll-draft --spec-draft-cpu-mask-batch -Cbd "
    "--cpu-mask-batch-draft --spec-draft-cpu-range-batch -Crbd --cpu-range-batch-draft "
    "--spec-draft-cpu-strict-batch --cpu-strict-batch-draft --spec-draft-prio-batch --prio-batch-draft "
    "--spec-draft-poll-batch --poll-batch-draft --spec-ngram-mod-n-min --spec-ngram-mod-n-max "
    "--spec-ngram-mod-n-match --spec-ngram-simple-size-n --spec-ngram-simple-size-m "
    "--spec-ngram-simple-min-hits --spec-ngram-map-k-size-n --spec-ngram-map-k-size-m "
    "--spec-ngram-map-k-min-hits --spec-ngram-map-k4v-size-n --spec-ngram-map-k4v-size-m "
    "--spec-ngram-map-k4v-min-hits --spec-ngram-size-n --spec-ngram-size-m --spec-ngram-min-hits --spec-type "
    "-hft --hf-token -fitp --fit-print --log-file --log-prompts-dir -lv --verbosity --log-verbosity -gan "
    "--grp-attn-n -gaw --grp-attn-w --tfs -ld --logdir --models-dir --models-preset --models-max "
    "--embd-normalize";
constexpr std::string_view kNeutralFlags =
    "-cb --cont-batching -nocb --no-cont-batching --jinja --no-jinja --metrics --props --slots --no-slots "
    "--webui --no-webui --ui --no-ui --ui-mcp-proxy --no-ui-mcp-proxy --webui-mcp-proxy --no-webui-mcp-proxy "
    "-ag --agent -no-ag --no-agent --reuse-port --cors-credentials --no-cors-credentials --cache-prompt "
    "--no-cache-prompt --cache-idle-slots --no-cache-idle-slots --context-shift --no-context-shift --warmup "
    "--no-warmup --perf --no-perf --show-timings --no-show-timings -e --escape --no-escape --ignore-eos "
    "--prefill-assistant --no-prefill-assistant --reasoning-preserve --no-reasoning-preserve "
    "--skip-chat-parsing --no-skip-chat-parsing -cnv --conversation -no-cnv --no-conversation -st "
    "--single-turn -i --interactive -if --interactive-first -mli --multiline-input --in-prefix-bos "
    "--simple-io --display-prompt --no-display-prompt --prompt-cache-all --prompt-cache-ro --spm-infill -sp "
    "--special --no-mmproj --no-mmproj-auto --mmproj-auto --spec-draft-backend-sampling "
    "--no-spec-draft-backend-sampling --log-disable -v --verbose --log-verbose --log-prefix --no-log-prefix "
    "--log-timestamps --no-log-timestamps --verbose-prompt --offline --check-tensors "
    "--penalize-nl -dkvc --dump-kv-cache --models-autoload --no-models-autoload";
// A word in newer programs, nothing in older ones.
constexpr std::string_view kNeutralChoices = "-co --color --log-colors -rea --reasoning";

constexpr std::string_view kDownloads =
    "-mu --model-url -hf -hfr --hf-repo -hff --hf-file -mmu --mmproj-url --spec-draft-hf -hfd -hfrd "
    "--hf-repo-draft";
constexpr std::string_view kBesideValues =
    "-m --model -p --prompt -n --predict --n-predict --n-prompt --n-gen --mmproj --model-draft "
    "--spec-draft-model --gpu-layers-draft --n-gpu-layers-draft --spec-draft-ngl --cache-type-k-draft "
    "--spec-draft-type-k --cache-type-v-draft --spec-draft-type-v --device-draft --spec-draft-device "
    "--override-tensor-draft --spec-draft-override-tensor --n-cpu-moe-draft --spec-draft-n-cpu-moe "
    "--spec-draft-ncmoe --lora --fit-ctx --like --generation --machine --backends --rows --margin";
constexpr std::string_view kBesideFlags =
    "--mmproj-offload --no-mmproj-offload --cpu-moe-draft --spec-draft-cpu-moe --json";

constexpr std::string_view kOtherGraphs =
    "--attention -bs --backend-sampling --control-vector --control-vector-scaled "
    "--control-vector-layer-range --lora-init-without-apply";
constexpr std::string_view kOtherDrafts = "--mtp --dflash --eagle3";

std::optional<SwitchValue> found_in(std::string_view name, std::string_view values, std::string_view flags) {
    if (lists(values, name)) return SwitchValue::value;
    if (lists(flags, name)) return SwitchValue::nothing;
    return std::nullopt;
}

/// Whether the list only has kinds of speculation without a draft model, or with that of --model-draft.
bool drafts_as_planned(std::string_view kinds) {
    while (!kinds.empty()) {
        const std::string_view kind = kinds.substr(0, kinds.find(','));
        if (kind != "none" && kind != "draft-simple" && !kind.starts_with("ngram-")) return false;
        kinds.remove_prefix(std::min(kind.size() + 1, kinds.size()));
    }
    return true;
}

}  // namespace

std::optional<SwitchValue> neutral_switch(std::string_view name) {
    if (lists(kNeutralChoices, name)) return SwitchValue::maybe_choice;
    return found_in(name, kNeutralValues, kNeutralFlags);
}

std::vector<std::string> neutral_switches() {
    std::vector<std::string> out;
    for (const std::string_view names : {kNeutralValues, kNeutralFlags, kNeutralChoices})
        for (const std::string_view name : NameList(names).split()) out.emplace_back(name);
    return out;
}

std::optional<SwitchValue> switch_beside_placement(std::string_view name) {
    if (lists(kDownloads, name)) return SwitchValue::value;
    return found_in(name, kBesideValues, kBesideFlags);
}

void refuse_unplanned(std::string_view name, std::string_view value) {
    const std::string place(name);
    if (lists(kOtherGraphs, name))
        throw Error(ErrorKind::usage, msg::kChangesGraphs, place, msg::kLeaveOutForGeneration);
    if (lists(kOtherDrafts, name) || (name == "--spec-type" && !drafts_as_planned(value)))
        throw Error(ErrorKind::usage, msg::kOtherDraft, place, msg::kPlanWithoutIt);
    if (name == "--override-kv") throw Error(ErrorKind::usage, msg::kChangesModel, place, msg::kWriteModel);
    if (name == "--rpc" || name == "-rpc")
        throw Error(ErrorKind::usage, msg::kAddsDevices, place, msg::kDescribeDevices);
}

void refuse_download(std::string_view name) {
    if (lists(kDownloads, name))
        throw Error(ErrorKind::usage, msg::kNamesDownload, std::string(name), msg::kGiveDownloaded);
}

}  // namespace splitscope
