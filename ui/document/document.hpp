// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <filesystem>
#include <memory>
#include <optional>

#include "engine/scheduler/replay.hpp"
#include "engine/session/session.hpp"
#include "engine/session/summary.hpp"
#include "ui/jobs/job_channel.hpp"
#include "ui/models/finding_list.hpp"
#include "ui/models/selection.hpp"

namespace splitscope::ui {

/// What is open: the session being edited, the snapshot derived from it, and the state at the current
/// decision. Opening and analysing happen on workers; a failed open keeps what was open.
class Document : public QObject {
    Q_OBJECT
 public:
    explicit Document(QObject* parent = nullptr);

    void open(const std::filesystem::path& path);

    /// Writes a `.splitscope.json`, which opens again. Throws Error(io).
    void save_session(const std::filesystem::path& path) const;

    bool has_session() const { return session_.file != nullptr; }
    const Session& session() const { return session_; }
    /// Null until the first file is analysed.
    const std::shared_ptr<const Analysis>& analysis() const { return analysis_; }
    const std::shared_ptr<const Summary>& summary() const { return summary_; }
    const std::vector<FindingRow>& findings() const { return findings_; }
    /// What was shown before the last edit; null when there was none since opening.
    const std::shared_ptr<const Analysis>& previous_analysis() const { return previous_analysis_; }
    const std::shared_ptr<const Summary>& previous_summary() const { return previous_summary_; }
    /// The state at the current decision; null without an analysis.
    std::shared_ptr<const Replay> replay() const { return replay_; }
    /// Why the session cannot be run, or nothing.
    const std::optional<QString>& why_not_runnable() const { return not_runnable_; }

    Selection& selection() { return selection_; }
    void select_tensor(TensorId tensor);
    /// The node after or before the current one in execution order.
    void select_neighbour(int step);

    std::size_t decision_count() const;
    void seek(std::size_t position);
    void seek_after(Pass pass);
    void step_decision(int step);
    void step_pass(int step);
    /// To the next decision (or the one before) on the selected tensor; false when there is none.
    bool step_on_tensor(int step);

    /// Changes the session; undoable; the schedule follows on a worker.
    void edit(const QString& what, const Session& changed);
    QUndoStack& undo_stack() { return undo_stack_; }

    JobChannel& open_job() { return open_job_; }
    JobChannel& analyse_job() { return analyse_job_; }

 signals:
    void session_changed();
    /// Another snapshot: everything derived is new.
    void analysis_changed();
    /// The replay moved to another decision.
    void state_changed();
    void opened(const QString& path);

 private:
    friend class SessionEdit;
    struct Loaded {
        Session session;
        std::shared_ptr<const Analysis> analysis;
        std::shared_ptr<const Summary> summary;
        std::vector<FindingRow> findings;
        std::shared_ptr<Replay> replay;
        std::optional<QString> not_runnable;
    };
    static Loaded derive(Session session, const JobContext& job);
    void apply_session(const Session& session);
    void publish(Loaded loaded, bool keep_place);
    SplitId split_of(TensorId tensor) const;

    Session session_;
    std::shared_ptr<const Analysis> analysis_;
    std::shared_ptr<const Summary> summary_;
    std::vector<FindingRow> findings_;
    std::shared_ptr<const Analysis> previous_analysis_;
    std::shared_ptr<const Summary> previous_summary_;
    int published_edit_ = 0;  // index of the undo stack that analysis_ belongs to
    std::shared_ptr<Replay> replay_;
    std::optional<QString> not_runnable_;
    std::vector<int> position_of_;  // per tensor: position in Graph::nodes, -1 for leafs
    Selection selection_;
    QUndoStack undo_stack_;
    JobChannel open_job_;
    JobChannel analyse_job_;
};

}  // namespace splitscope::ui
