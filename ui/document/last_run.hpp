// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "ui/document/run_control.hpp"
#include "ui/models/run_profile.hpp"

namespace splitscope::ui {

/// Which computation of the last run timeline and profile look at.
enum class RunPart : int { prompt, last_token, all_tokens };

/// What timeline and profile share: the part of the last run that is looked at, and how its tensors are found
/// in the document.
class LastRun : public QObject {
    Q_OBJECT
 public:
    LastRun(Document& document, RunControl& control, QObject* parent = nullptr);

    const TimedRun& run() const { return run_; }
    /// The part that run() is of: the prompt where there was no token.
    RunPart part() const { return shown_part_; }
    /// The tokens that a mean is of; null for the other parts.
    std::shared_ptr<const MeanExecution> mean() const;
    void set_part(RunPart part);
    bool has(RunPart part) const { return static_cast<bool>(run_of(part)); }
    /// The document's tensor for one of the graph that was run, and back; none when there is none.
    TensorId in_document(TensorId node) const;
    TensorId selected() const { return selected_; }
    SplitId selected_split() const;
    void select(TensorId node);
    void select_split(SplitId split);
    Document& document() { return document_; }
    RunControl& control() { return control_; }

 signals:
    void changed();
    void selection_changed();

 private:
    TimedRun run_of(RunPart part) const;
    void take();
    void follow();

    Document& document_;
    RunControl& control_;
    RunPart part_ = RunPart::last_token;
    RunPart shown_part_ = RunPart::last_token;
    TimedRun run_;
    TensorId selected_;
};

}  // namespace splitscope::ui
