// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/edited_session.hpp"

#include <QUndoCommand>
#include <utility>

#include "engine/session/open_session.hpp"
#include "engine/support/error.hpp"
#include "ui/models/error_text.hpp"

namespace splitscope::ui {
namespace {

/// Whether only options of the tool bar differ: generation, graph and layers.
bool same_but_for_the_tool_bar(const Session& a, const Session& b) {
    ModelOptions options = a.model_options;
    options.kind = b.model_options.kind;
    options.gpu_layers = b.model_options.gpu_layers;
    return options == b.model_options && a.machine == b.machine && a.devices == b.devices;
}

}  // namespace

/// An undoable change of the session. Sessions are small, so both versions are stored.
class SessionEdit : public QUndoCommand {
 public:
    SessionEdit(EditedSession& edited, const QString& what, Session before, Session after, bool gradual)
        : QUndoCommand(what),
          edited_(edited),
          before_(std::move(before)),
          after_(std::move(after)),
          gradual_(gradual) {}

    void undo() override { edited_.apply_session(before_); }
    void redo() override { edited_.apply_session(after_); }
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* edit = static_cast<const SessionEdit*>(other);
        if (!gradual_ || !edit->gradual_ || edit->text() != text()) return false;
        after_ = edit->after_;
        return true;
    }

 private:
    EditedSession& edited_;
    Session before_;
    Session after_;
    bool gradual_;
};

/// An undoable change of bookmarks or decision breakpoints.
class NotesEdit : public QUndoCommand {
 public:
    NotesEdit(EditedSession& edited, const QString& what, SessionNotes after)
        : QUndoCommand(what), edited_(edited), before_(edited.notes()), after_(std::move(after)) {}

    void undo() override { edited_.apply_notes(before_); }
    void redo() override { edited_.apply_notes(after_); }

 private:
    EditedSession& edited_;
    SessionNotes before_;
    SessionNotes after_;
};

EditedSession::EditedSession(QObject* parent) : QObject(parent) {
    connect(&undo_stack_, &QUndoStack::cleanChanged, this, [this] { emit modified_changed(modified()); });
}

void EditedSession::begin(SavedSession opened, std::filesystem::path path, bool recovered) {
    undo_stack_.clear();
    state_ = std::move(opened);
    saved_ = state_;
    path_ = std::move(path);
    recovered_ = recovered;
    ++changes_;
    if (recovered_) undo_stack_.resetClean();
    emit breakpoints_changed();
    emit modified_changed(modified());
}

void EditedSession::take_unanalysed(const Session& session) {
    undo_stack_.push(new SessionEdit(*this, tr("Apply the session"), state_.session, session, false));
    if (!recovered_) undo_stack_.setClean();
}

void EditedSession::edit(const QString& what, const Session& changed, bool gradual) {
    undo_stack_.push(new SessionEdit(*this, what, state_.session, changed, gradual));
}

void EditedSession::edit_notes(const QString& what, const SessionNotes& changed) {
    if (!has_session() || changed == state_.notes) return;
    try {
        require_savable(changed);
    } catch (const Error& error) {
        emit refused(error_text(error));
        emit notes_changed();
        return;
    }
    undo_stack_.push(new NotesEdit(*this, what, changed));
}

void EditedSession::set_breakpoints(std::vector<Breakpoint> breakpoints) {
    state_.breakpoints = std::move(breakpoints);
    ++changes_;
    emit breakpoints_changed();
    emit modified_changed(modified());
}

void EditedSession::apply_session(const Session& session) {
    state_.session = session;
    ++changes_;
    emit session_edited();
}

void EditedSession::apply_notes(const SessionNotes& notes) {
    state_.notes = notes;
    ++changes_;
    emit notes_changed();
}

void EditedSession::save(const std::filesystem::path& path) {
    save_session(state_, path);
    path_ = path;
    saved_ = state_;
    recovered_ = false;
    undo_stack_.setClean();
    emit modified_changed(modified());
}

bool EditedSession::modified() const {
    return !undo_stack_.isClean() || (has_session() && state_.breakpoints != saved_.breakpoints);
}

bool EditedSession::has_unsaved_work(Unsaved what) const {
    const bool breakpoints = what == Unsaved::everything && state_.breakpoints != saved_.breakpoints;
    if (!has_session() || (undo_stack_.isClean() && !breakpoints)) return false;
    if (recovered_ || !path_.empty()) return true;
    return state_.notes != saved_.notes || breakpoints ||
           !same_but_for_the_tool_bar(state_.session, saved_.session);
}

}  // namespace splitscope::ui
