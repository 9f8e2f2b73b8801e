// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/execution/breakpoint.hpp"
#include "engine/scheduler/replay.hpp"
#include "engine/session/open_session.hpp"
#include "engine/session/summary.hpp"
#include "ui/jobs/job_channel.hpp"
#include "ui/models/finding_list.hpp"
#include "ui/models/selection.hpp"

namespace splitscope::ui {

/// What is open: the session being edited, the snapshot derived from it, and the state at the current
/// decision. Opening and analysing happen on workers; a failed open keeps what was open, and so does one
/// during which work was done that it would replace: that is refused().
class Document : public QObject {
    Q_OBJECT
 public:
    /// `kinds`: the backends that compute for real; null = devices are only described.
    explicit Document(BackendKinds kinds = nullptr, QObject* parent = nullptr);

    const BackendKinds& kinds() const { return kinds_; }
    /// Settings of the kinds, for runs, for comparisons and for finding devices.
    const KindOptions& kind_options() const { return kind_options_; }
    void set_kind_option(const std::string& name, const std::string& value);

    /// `may_replace` is asked once the file is read and before it replaces unsaved work; without it, work done
    /// since open() is kept and the file is refused().
    void open(const std::filesystem::path& path, MemoryBound bound = MemoryBound::kept,
              std::function<bool()> may_replace = {});
    /// Opens what was refused for the memory it takes.
    void open_anyway();

    /// Opens what a crash left behind: like open(), but it has no file yet and counts as changed. Ends in
    /// recovered() or not_recovered(), or in neither: cancelled, superseded, refused(), or waiting for
    /// open_anyway().
    void recover(const std::filesystem::path& path);
    /// For files that are no sessions and name no generation themselves; none: the engine's choice.
    void set_preferred_generation(std::optional<Generation> generation) { preferred_ = generation; }

    /// Writes a `.splitscope.json`, which opens again, and makes it the session's file. Throws Error, and
    /// then nothing is written.
    void save_session(const std::filesystem::path& path);
    SavedSession saved_state() const { return {session_, notes_, breakpoints_}; }
    /// The session file that is open; empty when it was never saved.
    const std::filesystem::path& session_path() const { return session_path_; }
    /// Changed since it was opened or saved.
    bool modified() const;
    /// Whether leaving it would lose what somebody would miss: any change of a session that has a file or was
    /// recovered; in what was never saved, notes, breakpoints, the machine and the placement, but not the
    /// generation, the graph and the layers, which the tool bar gives back at once.
    bool has_unsaved_work() const;

    /// Bookmarks and breakpoints on decisions; saved with the session.
    const SessionNotes& notes() const { return notes_; }
    /// Undoable; nothing is scheduled again. More than a session takes is refused().
    void edit_notes(const QString& what, const SessionNotes& changed);

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

    /// Where runs stop; saved with the session.
    const std::vector<Breakpoint>& breakpoints() const { return breakpoints_; }
    void set_breakpoints(std::vector<Breakpoint> breakpoints);
    /// Shows another analysis in every view, the other side of a comparison; null: what is open again. The
    /// session stays, and its next edit leads back to it.
    void view_other(std::shared_ptr<const Analysis> other, const QString& name);
    bool viewing_other() const { return own_ != nullptr; }
    const QString& other_name() const { return other_name_; }
    /// The analysis of the session, whatever is shown.
    const std::shared_ptr<const Analysis>& own_analysis() const { return own_ ? own_->analysis : analysis_; }

    Selection& selection() { return selection_; }
    /// Of the selected tensor; empty when none is.
    TensorIdentity selected() const;
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

    /// Positions before and after the last move through the decisions.
    std::pair<std::size_t, std::size_t> last_move() const { return last_move_; }
    /// To the next decision (or the one before) that a breakpoint waits for; false when there is none.
    bool run_to_stop(int step);

    /// Changes the session; undoable; the schedule follows on a worker. `gradual`: part of a movement, such
    /// as the dragging of a slider; those of one name that follow each other are undone at once. What could
    /// not be opened again is refused().
    void edit(const QString& what, const Session& changed, bool gradual = false);
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
    /// After opened(): exactly this file was recovered.
    void recovered(const QString& path);
    void not_recovered(const QString& reason);
    /// Opening was refused only because it takes much memory; open_anyway() overrules that.
    void memory_asked(const QString& problem);
    /// An edit, or a file that was read, was not taken, for this reason.
    void refused(const QString& reason);
    void breakpoints_changed();
    void notes_changed();
    void modified_changed(bool modified);

 private:
    friend class SessionEdit;
    friend class NotesEdit;
    struct Loaded {
        Session session;
        std::vector<Breakpoint> breakpoints;
        SessionNotes notes;
        std::shared_ptr<const Analysis> analysis;
        std::shared_ptr<const Summary> summary;
        std::vector<FindingRow> findings;
        std::shared_ptr<Replay> replay;
        std::optional<QString> not_runnable;
        /// Set when the session cannot be analysed and this is its file alone.
        std::optional<Session> unanalysed;
    };
    static Loaded derive_opened(Session session, const std::filesystem::path& path, const JobContext& job);
    static Loaded derive(Session session, const JobContext& job);
    static Loaded derive_from(std::shared_ptr<const Analysis> analysis, const JobContext& job);
    struct Opening {
        std::filesystem::path path;
        bool recovering = false;
        MemoryBound bound = MemoryBound::kept;
        std::uint64_t changes = 0;  ///< changes_ when it was asked for
        std::function<bool()> may_replace = {};
    };
    void open(const Opening& opening);
    void take(const Opening& opening, Loaded loaded);
    void analyse_session();
    void apply_session(const Session& session);
    void apply_notes(const SessionNotes& notes);
    void publish(Loaded loaded, bool keep_place);
    void show(Loaded& loaded, bool keep_place);
    SplitId split_of(TensorId tensor) const;

    BackendKinds kinds_;
    KindOptions kind_options_;
    Opening opening_;  ///< the latest
    Session session_;
    std::vector<Breakpoint> breakpoints_;
    SessionNotes notes_;
    SavedSession saved_;  ///< as it was opened or saved
    std::filesystem::path session_path_;
    bool recovered_ = false;       ///< and not saved since
    std::uint64_t changes_ = 0;    ///< how often anything was changed
    bool behind_ = false;          ///< analysis_ is not of session_
    bool other_expected_ = false;  ///< analyse_job_ derives what view_other() asked for
    std::optional<Generation> preferred_;
    std::shared_ptr<const Analysis> shown_;  ///< what the selection speaks of
    std::unique_ptr<Loaded> own_;            ///< while another side is shown
    QString other_name_;
    std::pair<std::size_t, std::size_t> last_move_{0, 0};
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
