// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/last_run.hpp"

#include "ui/models/stand_in_text.hpp"

namespace splitscope::ui {

LastRun::LastRun(Document& document, RunControl& control, QObject* parent)
    : QObject(parent), document_(document), control_(control) {
    connect(&control, &RunControl::finished, this, &LastRun::take);
    connect(&control, &RunControl::times_changed, this, &LastRun::take);
    connect(&document, &Document::analysis_changed, this, &LastRun::follow);
    connect(&document.selection(), &Selection::tensor_changed, this, &LastRun::follow);
    connect(&document.selection(), &Selection::split_changed, this, &LastRun::selection_changed);
}

QString LastRun::explain_parts() {
    return tr(
        "Each micro-batch of the prompt and each token is one run of the schedule; of the prompt, the last "
        "is shown");
}

TimedRun LastRun::run_of(RunPart part) const {
    const RunTimes& times = control_.times();
    switch (part) {
        case RunPart::prompt:
            return times.prompt;
        case RunPart::last_token:
            return times.token;
        case RunPart::all_tokens:
            break;
    }
    const auto& all = times.mean;
    // Shares ownership with the object that contains the mean.
    return {times.token.analysis, all ? std::shared_ptr<const Execution>(all, &all->mean) : nullptr};
}

std::shared_ptr<const MeanExecution> LastRun::mean() const {
    return shown_part_ == RunPart::all_tokens && run_ ? control_.times().mean : nullptr;
}

void LastRun::take() {
    shown_part_ = part_;
    run_ = run_of(part_);
    // Stopped runs and embeddings have no tokens.
    if (!run_) {
        shown_part_ = RunPart::prompt;
        run_ = run_of(RunPart::prompt);
    }
    emit changed();
    follow();
}

QString LastRun::stand_in_text() const {
    return run_ ? ui::stand_in_text(run_.analysis->session, control_.times().stand_ins) : QString();
}

void LastRun::set_part(RunPart part) {
    part_ = part;
    take();
}

TensorId LastRun::in_document(TensorId node) const {
    // Keep showing the previous run until the new one is summed up.
    if (!run_ || !run_.analysis->schedule->has(node)) return {};
    const Schedule& schedule = *run_.analysis->schedule;
    const TensorId own = schedule.is_added(node) ? schedule.added_of(node).original : node;
    return control_.in_document(run_.analysis->identities->of(own));
}

void LastRun::follow() {
    selected_ = {};
    const TensorIdentity chosen = document_.selected();
    if (run_ && !chosen.empty()) selected_ = run_.analysis->identities->find(chosen);
    emit selection_changed();
}

SplitId LastRun::selected_split() const {
    if (!run_ || !document_.analysis()) return {};
    // Splits correspond only within the same schedule.
    const auto same = run_.analysis->schedule->splits.size() == document_.analysis()->schedule->splits.size();
    return same ? document_.selection().split() : SplitId();
}

void LastRun::select(TensorId node) {
    const TensorId tensor = in_document(node);
    if (tensor.valid()) document_.select_tensor(tensor);
}

void LastRun::select_split(SplitId split) {
    if (document_.analysis() && split.valid() &&
        split.index() < document_.analysis()->schedule->splits.size())
        document_.selection().select_split(split);
}

}  // namespace splitscope::ui
