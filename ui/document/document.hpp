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
#include "ui/document/navigation.hpp"
#include "ui/document/new_session_defaults.hpp"
#include "ui/document/shown.hpp"
#include "ui/jobs/job_channel.hpp"

namespace splitscope::ui {

/// The open document: the edited session (EditedSession), the derived snapshot (Shown), and the position of
/// the views in it (Navigation). Opening and analysis run on workers. If opening fails, the document is kept;
/// likewise if it would replace changes made meanwhile, see refused().
class Document : public QObject {
    Q_OBJECT
 public:
    /// `kinds`: available backends; null = devices are only simulated.
    explicit Document(BackendKinds kinds = nullptr, QObject* parent = nullptr);

    const BackendKinds& kinds() const { return kinds_; }
    /// Options of the backend kinds for runs, comparisons and device search.
    const KindOptions& kind_options() const { return kind_options_; }
    void set_kind_option(const std::string& name, const std::string& value);

    /// `may_replace` is called after reading the file and before replacing unsaved changes; without it,
    /// changes made since open() are kept and the file is refused().
    void open(const std::filesystem::path& path, MemoryBound bound = MemoryBound::enforced,
              std::function<bool()> may_replace = {});
    /// Opens the file that was refused because of the memory bound.
    void open_anyway();
    /// Opens a recovery file: as open(), but without a file name and marked as modified. Ends with
    /// recovered() or not_recovered(), or with neither if cancelled, superseded, refused(), or waiting for
    /// open_anyway().
    void recover(const std::filesystem::path& path);
    /// Opens the sample as a demonstration, see apply_new_session_defaults().
    void open_sample();
    /// A graph of an attached program with everything derived from it; created on a worker.
    struct ProgramSession {
        Session session;
        std::shared_ptr<const Shown> shown;
    };
    /// Makes it the session, without a file; breakpoints are kept. `title`: emits opened() with it, for the
    /// first graph of a program; empty for further graphs, which keep notes, selection and position.
    void take_program_session(ProgramSession program, const QString& title);
    /// Defaults for files that are not sessions.
    void set_new_session_defaults(NewSessionDefaults defaults) {
        new_session_defaults_ = std::move(defaults);
    }

    // What is edited.

    bool has_session() const { return edited_.has_session(); }
    const Session& session() const { return edited_.session(); }
    /// Changes the session; undoable. The schedule is updated on a worker. `gradual`: part of a continuous
    /// change such as dragging a slider; consecutive ones with the same name are undone together. Changes
    /// that could not be saved are refused().
    void edit(const QString& what, const Session& changed, bool gradual = false);
    /// Bookmarks and decision breakpoints; saved with the session.
    const SessionNotes& notes() const { return edited_.notes(); }
    /// Undoable; does not reschedule. Refused if it exceeds the limits of a session.
    void edit_notes(const QString& what, const SessionNotes& changed) { edited_.edit_notes(what, changed); }
    /// Breakpoints of runs; saved with the session.
    const std::vector<Breakpoint>& breakpoints() const { return edited_.breakpoints(); }
    void set_breakpoints(std::vector<Breakpoint> breakpoints);
    QUndoStack& undo_stack() { return edited_.undo_stack(); }
    /// Writes a `.splitscope.json` and makes it the session's file. Throws Error without writing.
    void save_session(const std::filesystem::path& path) { edited_.save(path); }
    const SavedSession& saved_state() const { return edited_.state(); }
    /// The open session file; empty if it was never saved.
    const std::filesystem::path& session_path() const { return edited_.path(); }
    /// Whether it has changed since opening or saving.
    bool modified() const { return edited_.modified(); }
    /// Whether closing would lose relevant changes: any change of a session with a file or after recovery;
    /// without a file, changes of notes, breakpoints, machine and placement, but not of generation, graph and
    /// layers, which the tool bar restores easily.
    bool has_unsaved_work(Unsaved what = Unsaved::everything) const { return edited_.has_unsaved_work(what); }

    // What is shown; null until the first file is analysed.

    const std::shared_ptr<const Shown>& shown() const { return shown_; }
    const std::shared_ptr<const Analysis>& analysis() const { return of(shown_).analysis; }
    const std::shared_ptr<const Summary>& summary() const { return of(shown_).summary; }
    /// Null without a model.
    const std::shared_ptr<const ModelPlan>& plan() const { return of(shown_).plan; }
    const std::vector<Finding>& findings() const { return of(shown_).findings; }
    /// The state after the current decision.
    std::shared_ptr<const Replay> replay() const { return of(shown_).replay; }
    /// The snapshot before the last edit; null if there was no edit since opening.
    const std::shared_ptr<const Shown>& previous() const { return previous_; }
    /// Why the session cannot be run; empty if it can.
    const std::optional<QString>& why_not_runnable() const { return not_runnable_; }
    /// Shows another analysis in all views, such as the other side of a comparison; null returns to the
    /// session. The next edit of the session also returns to it.
    void view_other(std::shared_ptr<const Analysis> other, const QString& name);
    bool viewing_other() const { return shown_ != own_; }
    const QString& other_name() const { return other_name_; }
    /// The analysis of the session, independent of what is shown.
    const std::shared_ptr<const Analysis>& own_analysis() const { return of(own_).analysis; }
    /// Its plan; null without a model.
    const std::shared_ptr<const ModelPlan>& own_plan() const { return of(own_).plan; }

    // Position of the views.

    Navigation& navigation() { return navigation_; }
    const Navigation& navigation() const { return navigation_; }
    Selection& selection() { return navigation_.selection(); }
    /// Identity of the selected tensor; empty if there is none.
    TensorIdentity selected() const { return navigation_.selected(); }
    void select_tensor(TensorId tensor) { navigation_.select_tensor(tensor); }

    JobChannel& open_job() { return open_job_; }
    JobChannel& analyse_job() { return analyse_job_; }

 signals:
    void session_changed();
    /// The snapshot has been replaced.
    void analysis_changed();
    /// The current decision has changed.
    void state_changed();
    void opened(const QString& path);
    /// Follows opened() if this file was recovered.
    void recovered(const QString& path);
    void not_recovered(const QString& reason);
    /// The file was refused because of the memory bound; open_anyway() overrides it.
    void memory_bound_exceeded(const QString& problem);
    /// A model was refused because its graph is not supported; another program may build it.
    void not_built(const QString& path, const QString& problem);
    /// An edit or a file was refused, for this reason.
    void refused(const QString& reason);
    void breakpoints_changed();
    void notes_changed();
    void modified_changed(bool modified);

 private:
    struct Loaded {
        SavedSession saved;
        std::shared_ptr<const Shown> shown;
        std::optional<QString> not_runnable;
        /// Set if the session cannot be analysed; `saved` then holds its file only.
        std::optional<Session> unanalysed;
    };
    static Loaded derive_opened(Session session, const std::filesystem::path& path, const JobContext& job);
    static Loaded derive(Session session, const JobContext& job);
    struct Opening {
        std::filesystem::path path;
        bool recovering = false;
        MemoryBound bound = MemoryBound::enforced;
        std::uint64_t changes = 0;  ///< of the session at the start of opening
        std::function<bool()> may_replace = {};
        bool demonstration = false;
    };
    void open(const Opening& opening);
    void take(const Opening& opening, Loaded loaded);
    void analyse_session();
    /// Shows the snapshot derived from the session.
    void publish(Loaded& loaded, bool keep_place);
    void show(std::shared_ptr<const Shown> shown, bool keep_place);
    static const Shown& of(const std::shared_ptr<const Shown>& shown);

    BackendKinds kinds_;
    KindOptions kind_options_;
    NewSessionDefaults new_session_defaults_;
    Opening opening_;  ///< the most recent one
    EditedSession edited_;
    bool behind_ = false;          ///< own_ is older than the session
    bool other_expected_ = false;  ///< analyse_job_ is running for view_other()
    int published_edit_ = 0;       ///< undo stack index of own_
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
