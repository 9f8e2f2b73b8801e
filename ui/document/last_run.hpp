// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "ui/document/run_control.hpp"
#include "ui/models/run_profile.hpp"

namespace splitscope::ui {

/// Part of the last run shown by timeline and profile.
enum class RunPart : int { prompt, last_token, all_tokens };

/// State shared by timeline and profile: the shown part of the last run, and the mapping of its tensors to
/// the document.
class LastRun : public QObject {
    Q_OBJECT
 public:
    LastRun(Document& document, RunControl& control, QObject* parent = nullptr);

    static QString explain_parts();

    const TimedRun& run() const { return run_; }
    /// The actual part of run(): the prompt if no token was generated.
    RunPart part() const { return shown_part_; }
    /// The mean over tokens; null for other parts.
    std::shared_ptr<const MeanExecution> mean() const;
    void set_part(RunPart part);
    /// Says that the CPU computed for devices of the run; empty if it did not.
    QString stand_in_text() const;
    bool has(RunPart part) const { return static_cast<bool>(run_of(part)); }
    /// Maps a tensor of the run's graph to the document, and back; none if there is no counterpart.
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
