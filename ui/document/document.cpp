// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/document.hpp"

#include <utility>

#include "engine/session/live_run.hpp"
#include "engine/session/messages.hpp"
#include "engine/session/open_session.hpp"
#include "engine/session/resources.hpp"
#include "engine/support/error.hpp"
#include "ui/jobs/destroy_on_worker.hpp"
#include "ui/models/error_text.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/messages.hpp"

namespace splitscope::ui {

Document::Document(BackendKinds kinds, QObject* parent)
    : QObject(parent), kinds_(std::move(kinds)), open_job_(tr("Opening")), analyse_job_(tr("Scheduling")) {
    connect(&navigation_, &Navigation::state_changed, this, &Document::state_changed);
    connect(&edited_, &EditedSession::session_edited, this, [this] {
        behind_ = true;
        emit session_changed();
        analyse_session();
    });
    connect(&edited_, &EditedSession::notes_changed, this, &Document::notes_changed);
    connect(&edited_, &EditedSession::breakpoints_changed, this, &Document::breakpoints_changed);
    connect(&edited_, &EditedSession::modified_changed, this, &Document::modified_changed);
    connect(&edited_, &EditedSession::refused, this, &Document::refused);
    connect(&open_job_, &JobChannel::failed, this, [this](const JobFailure& failure) {
        if (failure.kind == ErrorKind::memory_bound) {
            emit memory_bound_exceeded(failure.text);
        } else if (opening_.recovering) {
            emit not_recovered(failure.text);
        } else if (failure.kind == ErrorKind::unsupported && opening_.path.extension() == ".gguf") {
            emit not_built(QString::fromStdString(opening_.path.string()), failure.text);
        }
    });
    // *Cancel* refers to opening; the current document's pending schedule still runs. Queued, because the
    // scheduling may be cancelled next.
    connect(
        &open_job_, &JobChannel::cancelled, this,
        [this] {
            if (behind_ && !analyse_job_.running()) analyse_session();
        },
        Qt::QueuedConnection);
    const auto no_other = [this] {
        if (std::exchange(other_expected_, false) && behind_) analyse_session();
    };
    connect(&analyse_job_, &JobChannel::cancelled, this, no_other, Qt::QueuedConnection);
    connect(&analyse_job_, &JobChannel::failed, this, no_other, Qt::QueuedConnection);
}

const Shown& Document::of(const std::shared_ptr<const Shown>& shown) {
    static const Shown nothing;
    return shown ? *shown : nothing;
}

void Document::set_kind_option(const std::string& name, const std::string& value) {
    if (value.empty())
        kind_options_.erase(name);
    else
        kind_options_[name] = value;
}

Document::Loaded Document::derive(Session session, const JobContext& job) {
    Loaded loaded;
    loaded.shown = derive_shown(destroy_on_worker(analyse(session, job)), job);
    if (const auto reason = splitscope::why_not_runnable(session))
        loaded.not_runnable = message_text(*reason);
    loaded.saved.session = std::move(session);
    return loaded;
}

/// A session that cannot be analysed opens with its file only, so that it can be corrected.
Document::Loaded Document::derive_opened(Session session, const std::filesystem::path& path,
                                         const JobContext& job) {
    try {
        return derive(session, job);
    } catch (const Cancelled&) {
        throw;
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::memory_bound) throw;
        try {
            Session alone = default_session(session.file);
            alone.kinds = session.kinds;
            Loaded loaded = derive(std::move(alone), job);
            loaded.unanalysed = std::move(session);
            return loaded;
        } catch (const Cancelled&) {
            throw;
        } catch (const Error&) {
            // The session's error is more useful than the error of its file alone.
            throw error.within(path.string());
        }
    }
}

void Document::open(const std::filesystem::path& path, MemoryBound bound, std::function<bool()> may_replace) {
    open({path, false, bound, edited_.changes(), std::move(may_replace)});
}

void Document::open_sample() {
    Opening opening{sample_model_path(), false, MemoryBound::enforced, edited_.changes()};
    opening.demonstration = true;
    open(opening);
}

void Document::recover(const std::filesystem::path& path) {
    open({path, true, MemoryBound::enforced, edited_.changes()});
}

void Document::open_anyway() {
    Opening opening = opening_;
    opening.bound = MemoryBound::lifted;
    open(opening);
}

void Document::open(const Opening& opening) {
    opening_ = opening;
    open_job_.start(
        [path = opening.path, bound = opening.bound, demonstration = opening.demonstration,
         start = new_session_defaults_, kinds = kinds_](const JobContext& bounded) {
            const JobContext job = bounded.with(bound);
            job.report(-1, msg::kReadingFile);
            auto [session, notes, breakpoints] = open_saved_session(path, job);
            session.kinds = kinds;
            job.check();
            const bool is_new = path == session.file->path;
            if (is_new) apply_new_session_defaults(session, start, demonstration);
            job.report(-1, msg::kScheduling);
            Loaded loaded =
                is_new ? derive(std::move(session), job) : derive_opened(std::move(session), path, job);
            loaded.saved.breakpoints = std::move(breakpoints);
            loaded.saved.notes = std::move(notes);
            return loaded;
        },
        [this, opening](Loaded loaded) { take(opening, std::move(loaded)); });
}

void Document::take(const Opening& opening, Loaded loaded) {
    const QString path = QString::fromStdString(opening.path.string());
    const std::filesystem::path file = loaded.saved.session.file->path;
    const QString shown = opening.recovering ? QString::fromStdString(file.string()) : path;
    // The document could be closed when the opening began, but it has changed since.
    if (opening.may_replace) {
        if (!opening.may_replace()) return;
    } else if (edited_.changes() != opening.changes && has_unsaved_work()) {
        emit refused(
            tr("%1 was not opened, because the session has changed in the meantime — save the changes, "
               "or open the file again")
                .arg(shown));
        return;
    }
    // Of the previous document.
    other_expected_ = false;
    analyse_job_.cancel();
    const bool has_session_file = !opening.recovering && opening.path != file;
    edited_.begin(std::move(loaded.saved), has_session_file ? opening.path : std::filesystem::path(),
                  opening.recovering);
    publish(loaded, false);
    if (loaded.unanalysed) edited_.take_unanalysed(*loaded.unanalysed);
    emit notes_changed();
    emit opened(shown);
    if (opening.recovering) emit recovered(path);
}

void Document::take_program_session(ProgramSession program, const QString& title) {
    other_expected_ = false;
    analyse_job_.cancel();
    const bool first = !title.isEmpty();
    SavedSession saved;
    if (!first) saved.notes = edited_.notes();
    saved.breakpoints = edited_.breakpoints();
    not_runnable_.reset();
    if (const auto reason = splitscope::why_not_runnable(program.session))
        not_runnable_ = message_text(*reason);
    saved.session = std::move(program.session);
    edited_.begin(std::move(saved), {}, false);
    // Another graph of a program is not an edit.
    previous_.reset();
    published_edit_ = undo_stack().index();
    behind_ = false;
    own_ = std::move(program.shown);
    show(own_, !first);
    emit notes_changed();
    if (first) emit opened(title);
}

void Document::set_breakpoints(std::vector<Breakpoint> breakpoints) {
    edited_.set_breakpoints(std::move(breakpoints));
}

void Document::publish(Loaded& loaded, bool keep_place) {
    // Merged edits, such as dragging a slider, are compared with the state before the first.
    const int edit = undo_stack().index();
    if (!keep_place) {
        previous_.reset();
    } else if (edit != published_edit_) {
        previous_ = own_;
    }
    published_edit_ = edit;
    behind_ = false;
    own_ = std::move(loaded.shown);
    not_runnable_ = std::move(loaded.not_runnable);
    show(own_, keep_place);
}

void Document::show(std::shared_ptr<const Shown> shown, bool keep_place) {
    shown_ = std::move(shown);
    if (!viewing_other()) other_name_.clear();
    navigation_.show(shown_, keep_place);
    emit session_changed();
    emit analysis_changed();
    navigation_.announce();
}

void Document::view_other(std::shared_ptr<const Analysis> other, const QString& name) {
    if (!shown_) return;
    if (!other) {
        const bool withdrawn = std::exchange(other_expected_, false);
        if (withdrawn) analyse_job_.cancel();
        const bool back = viewing_other();
        if (back) show(own_, true);
        // Showing the other side replaced the scheduling of an edit.
        if (behind_ && (back || withdrawn)) analyse_session();
        return;
    }
    other_expected_ = true;
    analyse_job_.start([other](const JobContext& job) { return derive_shown(other, job); },
                       [this, name](std::shared_ptr<const Shown> shown) {
                           other_expected_ = false;
                           other_name_ = name;
                           show(std::move(shown), true);
                       });
}

void Document::edit(const QString& what, const Session& changed, bool gradual) {
    if (!has_session()) return;
    try {
        // Gradual changes have their own limits.
        if (!gradual) require_savable(changed);
    } catch (const Error& error) {
        emit refused(error_text(error));
        emit session_changed();
        return;
    }
    edited_.edit(what, changed, gradual);
}

void Document::analyse_session() {
    other_expected_ = false;
    analyse_job_.start([session = session()](const JobContext& job) { return derive(session, job); },
                       [this](Loaded loaded) { publish(loaded, true); });
}

}  // namespace splitscope::ui
