// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/execution/breakpoint.hpp"
#include "engine/session/session_json.hpp"

namespace splitscope::ui {

/// Changes that need confirmation before they are lost. Breakpoints are kept when a program replaces the
/// session.
enum class Unsaved { everything, all_but_breakpoints };

/// The editable, saved part of a document: session, notes, breakpoints, undo history, and file.
class EditedSession : public QObject {
    Q_OBJECT
 public:
    explicit EditedSession(QObject* parent = nullptr);

    /// Sets an opened session, unmodified and without history. `path`: its file, or empty. `recovered`: from
    /// a recovery file; marked as modified.
    void begin(SavedSession opened, std::filesystem::path path, bool recovered);
    /// Sets a session that could not be analysed, as an undoable edit.
    void take_unanalysed(const Session& session);

    bool has_session() const { return state_.session.file != nullptr; }
    const Session& session() const { return state_.session; }
    const SessionNotes& notes() const { return state_.notes; }
    const std::vector<Breakpoint>& breakpoints() const { return state_.breakpoints; }
    const SavedSession& state() const { return state_; }

    void edit(const QString& what, const Session& changed, bool gradual);
    void edit_notes(const QString& what, const SessionNotes& changed);
    void set_breakpoints(std::vector<Breakpoint> breakpoints);
    QUndoStack& undo_stack() { return undo_stack_; }
    const QUndoStack& undo_stack() const { return undo_stack_; }
    /// Number of changes so far.
    std::uint64_t changes() const { return changes_; }

    void save(const std::filesystem::path& path);
    const std::filesystem::path& path() const { return path_; }
    bool modified() const;
    bool has_unsaved_work(Unsaved what = Unsaved::everything) const;

 signals:
    /// By an edit, undo or redo.
    void session_edited();
    void notes_changed();
    void breakpoints_changed();
    void modified_changed(bool modified);
    /// An edit was refused, for this reason.
    void refused(const QString& reason);

 private:
    friend class SessionEdit;
    friend class NotesEdit;
    void apply_session(const Session& session);
    void apply_notes(const SessionNotes& notes);

    SavedSession state_;
    SavedSession saved_;  ///< as opened or saved
    std::filesystem::path path_;
    bool recovered_ = false;  ///< recovered and not saved yet
    std::uint64_t changes_ = 0;
    QUndoStack undo_stack_;
};

}  // namespace splitscope::ui
