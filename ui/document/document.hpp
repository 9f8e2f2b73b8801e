// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/session/open_session.hpp"
#include "ui/document/edited_session.hpp"
#include "ui/document/fresh_start.hpp"
#include "ui/document/navigation.hpp"
#include "ui/document/shown.hpp"
#include "ui/jobs/job_channel.hpp"

namespace splitscope::ui {

/// What is open: the session being edited (EditedSession), the snapshot derived from it (Shown), and where
/// the views are in that (Navigation). Opening and analysing happen on workers; a failed open keeps what was
/// open, and so does one during which work was done that it would replace: that is refused().
class Document : public QObject {
    Q_OBJECT
 public:
    /// `kinds`: the backends that compute for real; null = devices are only described.
    explicit Document(BackendKinds kinds = nullptr, QObject* parent = nullptr);

    const BackendKinds& kinds() const { return kinds_; }
    /// Settings of the kinds, for runs, for comparisons and for finding devices.
    const KindOptions& kind_options() const { return kind_options_; }
    void set_kind_option(const std::string& name, const std::string& value);

    /// `may_replace` is asked once the file is read and before it replaces unsaved work; without it, work
    /// done since open() is kept and the file is refused().
    void open(const std::filesystem::path& path, MemoryBound bound = MemoryBound::kept,
              std::function<bool()> may_replace = {});
    /// Opens what was refused for the memory it takes.
    void open_anyway();
    /// Opens what a crash left behind: like open(), but it has no file yet and counts as changed. Ends in
    /// recovered() or not_recovered(), or in neither: cancelled, superseded, refused(), or waiting for
    /// open_anyway().
    void recover(const std::filesystem::path& path);
    /// The sample: a demonstration, see start_fresh().
    void open_sample();
    /// What files that are no sessions start with.
    void set_fresh_start(FreshStart fresh) { fresh_ = std::move(fresh); }

    // What is edited.

    bool has_session() const { return edited_.has_session(); }
    const Session& session() const { return edited_.session(); }
    /// Changes the session; undoable; the schedule follows on a worker. `gradual`: part of a movement, such
    /// as the dragging of a slider; those of one name that follow each other are undone at once. What could
    /// not be opened again is refused().
    void edit(const QString& what, const Session& changed, bool gradual = false);
    /// Bookmarks and breakpoints on decisions; saved with the session.
    const SessionNotes& notes() const { return edited_.notes(); }
    /// Undoable; nothing is scheduled again. More than a session takes is refused().
    void edit_notes(const QString& what, const SessionNotes& changed) { edited_.edit_notes(what, changed); }
    /// Where runs stop; saved with the session.
    const std::vector<Breakpoint>& breakpoints() const { return edited_.breakpoints(); }
    void set_breakpoints(std::vector<Breakpoint> breakpoints);
    QUndoStack& undo_stack() { return edited_.undo_stack(); }
    /// Writes a `.splitscope.json`, which opens again, and makes it the session's file. Throws Error, and
    /// then nothing is written.
    void save_session(const std::filesystem::path& path) { edited_.save(path); }
    const SavedSession& saved_state() const { return edited_.state(); }
    /// The session file that is open; empty when it was never saved.
    const std::filesystem::path& session_path() const { return edited_.path(); }
    /// Changed since it was opened or saved.
    bool modified() const { return edited_.modified(); }
    /// Whether leaving it would lose what somebody would miss: any change of a session that has a file or was
    /// recovered; in what was never saved, notes, breakpoints, the machine and the placement, but not the
    /// generation, the graph and the layers, which the tool bar gives back at once.
    bool has_unsaved_work() const { return edited_.has_unsaved_work(); }

    // What is shown: null until the first file is analysed.

    const std::shared_ptr<const Shown>& shown() const { return shown_; }
    const std::shared_ptr<const Analysis>& analysis() const { return of(shown_).analysis; }
    const std::shared_ptr<const Summary>& summary() const { return of(shown_).summary; }
    /// Null without a model.
    const std::shared_ptr<const ModelPlan>& plan() const { return of(shown_).plan; }
    const std::vector<FindingRow>& findings() const { return of(shown_).findings; }
    /// The state at the current decision.
    std::shared_ptr<const Replay> replay() const { return of(shown_).replay; }
    /// What was shown before the last edit; null when there was none since opening.
    const std::shared_ptr<const Shown>& previous() const { return previous_; }
    /// Why the session cannot be run, or nothing.
    const std::optional<QString>& why_not_runnable() const { return not_runnable_; }
    /// Shows another analysis in every view, the other side of a comparison; null: what is open again. The
    /// session stays, and its next edit leads back to it.
    void view_other(std::shared_ptr<const Analysis> other, const QString& name);
    bool viewing_other() const { return shown_ != own_; }
    const QString& other_name() const { return other_name_; }
    /// The analysis of the session, whatever is shown.
    const std::shared_ptr<const Analysis>& own_analysis() const { return of(own_).analysis; }

    // Where the views are.

    Navigation& navigation() { return navigation_; }
    const Navigation& navigation() const { return navigation_; }
    Selection& selection() { return navigation_.selection(); }
    /// Of the selected tensor; empty when none is.
    TensorIdentity selected() const { return navigation_.selected(); }
    void select_tensor(TensorId tensor) { navigation_.select_tensor(tensor); }

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
    struct Loaded {
        SavedSession saved;
        std::shared_ptr<const Shown> shown;
        std::optional<QString> not_runnable;
        /// Set when the session cannot be analysed and `saved` is its file alone.
        std::optional<Session> unanalysed;
    };
    static Loaded derive_opened(Session session, const std::filesystem::path& path, const JobContext& job);
    static Loaded derive(Session session, const JobContext& job);
    struct Opening {
        std::filesystem::path path;
        bool recovering = false;
        MemoryBound bound = MemoryBound::kept;
        std::uint64_t changes = 0;  ///< of the session when it was asked for
        std::function<bool()> may_replace = {};
        bool demonstration = false;
    };
    void open(const Opening& opening);
    void take(const Opening& opening, Loaded loaded);
    void analyse_session();
    /// Shows what was derived from the session.
    void publish(Loaded& loaded, bool keep_place);
    void show(std::shared_ptr<const Shown> shown, bool keep_place);
    static const Shown& of(const std::shared_ptr<const Shown>& shown);

    BackendKinds kinds_;
    KindOptions kind_options_;
    FreshStart fresh_;
    Opening opening_;  ///< the latest
    EditedSession edited_;
    bool behind_ = false;          ///< own_ is not of the session as it is now
    bool other_expected_ = false;  ///< analyse_job_ derives what view_other() asked for
    int published_edit_ = 0;       ///< index of the undo stack that own_ belongs to
    std::shared_ptr<const Shown> own_;
    std::shared_ptr<const Shown> shown_;  ///< own_, or the other side of a comparison
    std::shared_ptr<const Shown> previous_;
    QString other_name_;
    std::optional<QString> not_runnable_;
    Navigation navigation_;
    JobChannel open_job_;
    JobChannel analyse_job_;
};

}  // namespace splitscope::ui
