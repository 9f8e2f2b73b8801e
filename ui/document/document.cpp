// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/document.hpp"

#include <QUndoCommand>
#include <algorithm>
#include <optional>

#include "engine/session/live_run.hpp"
#include "engine/session/messages.hpp"
#include "engine/session/open_session.hpp"
#include "engine/support/error.hpp"
#include "engine/support/file.hpp"
#include "ui/jobs/release_elsewhere.hpp"
#include "ui/models/error_text.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/messages.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

/// The tensor of `here` that one of `there` is. `there` is null when nothing was shown before.
TensorId same_tensor(const Analysis* there, const Analysis& here, TensorId tensor) {
    if (there == nullptr || !tensor.valid() || tensor.index() >= there->graph->tensors.size()) return {};
    if (there->graph == here.graph) return tensor;
    return here.identities->find(there->identities->of(tensor));
}

/// Whether at most what the tool bar chooses differs: generation, graph and layers.
bool same_but_for_the_tool_bar(const Session& a, const Session& b) {
    ModelOptions options = a.model_options;
    options.kind = b.model_options.kind;
    options.gpu_layers = b.model_options.gpu_layers;
    return options == b.model_options && a.machine == b.machine && a.devices == b.devices;
}

}  // namespace

/// One undoable change of the session. The session is small: both sides are kept whole.
class SessionEdit : public QUndoCommand {
 public:
    SessionEdit(Document& document, const QString& what, Session before, Session after, bool gradual)
        : QUndoCommand(what),
          document_(document),
          before_(std::move(before)),
          after_(std::move(after)),
          gradual_(gradual) {}

    void undo() override { document_.apply_session(before_); }
    void redo() override { document_.apply_session(after_); }
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* edit = static_cast<const SessionEdit*>(other);
        if (!gradual_ || !edit->gradual_ || edit->text() != text()) return false;
        after_ = edit->after_;
        return true;
    }

 private:
    Document& document_;
    Session before_;
    Session after_;
    bool gradual_;
};

/// One undoable change of the bookmarks or the breakpoints on decisions.
class NotesEdit : public QUndoCommand {
 public:
    NotesEdit(Document& document, const QString& what, SessionNotes after)
        : QUndoCommand(what), document_(document), before_(document.notes_), after_(std::move(after)) {}

    void undo() override { document_.apply_notes(before_); }
    void redo() override { document_.apply_notes(after_); }

 private:
    Document& document_;
    SessionNotes before_;
    SessionNotes after_;
};

Document::Document(BackendKinds kinds, QObject* parent)
    : QObject(parent), kinds_(std::move(kinds)), open_job_(tr("Opening")), analyse_job_(tr("Scheduling")) {
    connect(&selection_, &Selection::decision_changed, this, [this] {
        if (!replay_) return;
        const std::size_t before = replay_->position();
        replay_->seek(std::min(selection_.decision(), decision_count()));
        if (replay_->position() != before) last_move_ = {before, replay_->position()};
        emit state_changed();
    });
    connect(&open_job_, &JobChannel::failed, this, [this](const JobFailure& failure) {
        if (failure.kind == ErrorKind::memory_bound) {
            emit memory_asked(failure.text);
        } else if (opening_.recovering) {
            emit not_recovered(failure.text);
        }
    });
    // Whoever cancels all that runs means the opening: what stays open is scheduled to the end. Queued, since
    // the scheduling may be cancelled next.
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
    connect(&undo_stack_, &QUndoStack::cleanChanged, this, [this] { emit modified_changed(modified()); });
}

void Document::set_kind_option(const std::string& name, const std::string& value) {
    if (value.empty())
        kind_options_.erase(name);
    else
        kind_options_[name] = value;
}

Document::Loaded Document::derive_from(std::shared_ptr<const Analysis> analysis, const JobContext& job) {
    Loaded loaded;
    loaded.analysis = std::move(analysis);
    job.check();
    loaded.summary = std::make_shared<const Summary>(summarise(*loaded.analysis));
    loaded.findings = list_findings(*loaded.analysis, *loaded.summary);
    loaded.replay = std::make_shared<Replay>(loaded.analysis->schedule);
    loaded.replay->seek(loaded.analysis->schedule->decisions.size());
    return loaded;
}

Document::Loaded Document::derive(Session session, const JobContext& job) {
    Loaded loaded = derive_from(release_elsewhere(analyse(session, job)), job);
    loaded.session = std::move(session);
    if (const auto reason = splitscope::why_not_runnable(loaded.session))
        loaded.not_runnable = message_text(*reason);
    return loaded;
}

/// A session that cannot be analysed opens as its file alone, for what it holds to be corrected.
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
            // Why the session cannot be used says more than why its file cannot without it.
            throw error.within(path.string());
        }
    }
}

void Document::open(const std::filesystem::path& path, MemoryBound bound, std::function<bool()> may_replace) {
    open({path, false, bound, changes_, std::move(may_replace)});
}

void Document::recover(const std::filesystem::path& path) {
    open({path, true, MemoryBound::kept, changes_});
}

void Document::open_anyway() {
    open({opening_.path, opening_.recovering, MemoryBound::lifted, opening_.changes, opening_.may_replace});
}

void Document::open(const Opening& opening) {
    opening_ = opening;
    open_job_.start(
        [path = opening.path, bound = opening.bound, preferred = preferred_,
         kinds = kinds_](const JobContext& bounded) {
            const JobContext job = bounded.with(bound);
            job.report(-1, msg::kReadingFile);
            auto [session, notes, breakpoints] = open_saved_session(path, job);
            session.kinds = kinds;
            job.check();
            const bool fresh = path == session.file->path;
            if (fresh && preferred && !session.file->machine) session.generation = *preferred;
            job.report(-1, msg::kScheduling);
            Loaded loaded =
                fresh ? derive(std::move(session), job) : derive_opened(std::move(session), path, job);
            loaded.breakpoints = std::move(breakpoints);
            loaded.notes = std::move(notes);
            return loaded;
        },
        [this, opening](Loaded loaded) { take(opening, std::move(loaded)); });
}

void Document::take(const Opening& opening, Loaded loaded) {
    const QString path = QString::fromStdString(opening.path.string());
    const std::filesystem::path& file = loaded.session.file->path;
    const QString shown = opening.recovering ? QString::fromStdString(file.string()) : path;
    // What was open could be left when the opening began. Nobody was asked about what came since.
    if (opening.may_replace) {
        if (!opening.may_replace()) return;
    } else if (changes_ != opening.changes && has_unsaved_work()) {
        emit refused(
            tr("%1 was not opened: what is open was changed meanwhile — save the changes, or open it "
               "again")
                .arg(shown));
        return;
    }
    // Of what was open until now.
    other_expected_ = false;
    analyse_job_.cancel();
    undo_stack_.clear();
    saved_ = {loaded.session, loaded.notes, loaded.breakpoints};
    set_breakpoints(std::move(loaded.breakpoints));
    recovered_ = opening.recovering;
    if (recovered_) undo_stack_.resetClean();
    session_path_ = recovered_ || opening.path == file ? std::filesystem::path() : opening.path;
    notes_ = std::move(loaded.notes);
    const std::optional<Session> unanalysed = std::move(loaded.unanalysed);
    publish(std::move(loaded), false);
    if (unanalysed) {
        undo_stack_.push(
            new SessionEdit(*this, tr("Take what the session holds"), session_, *unanalysed, false));
        if (!recovered_) undo_stack_.setClean();
    }
    emit notes_changed();
    emit opened(shown);
    if (recovered_) emit recovered(path);
}

void Document::save_session(const std::filesystem::path& path) {
    splitscope::save_session(saved_state(), path);
    session_path_ = path;
    saved_ = saved_state();
    recovered_ = false;
    undo_stack_.setClean();
    emit modified_changed(modified());
}

bool Document::modified() const {
    return !undo_stack_.isClean() || (has_session() && breakpoints_ != saved_.breakpoints);
}

bool Document::has_unsaved_work() const {
    if (!modified()) return false;
    if (recovered_ || !session_path_.empty()) return true;
    return notes_ != saved_.notes || breakpoints_ != saved_.breakpoints ||
           !same_but_for_the_tool_bar(session_, saved_.session);
}

void Document::set_breakpoints(std::vector<Breakpoint> breakpoints) {
    breakpoints_ = std::move(breakpoints);
    ++changes_;
    emit breakpoints_changed();
    emit modified_changed(modified());
}

void Document::publish(Loaded loaded, bool keep_place) {
    if (own_) {
        analysis_ = own_->analysis;
        summary_ = own_->summary;
        own_.reset();
        other_name_.clear();
    }
    // Edits merged into one, like the dragging of a slider, are compared with what was before the first.
    if (!keep_place) {
        previous_analysis_.reset();
        previous_summary_.reset();
    } else if (undo_stack_.index() != published_edit_) {
        previous_analysis_ = analysis_;
        previous_summary_ = summary_;
    }
    published_edit_ = undo_stack_.index();
    behind_ = false;
    session_ = std::move(loaded.session);
    not_runnable_ = std::move(loaded.not_runnable);
    show(loaded, keep_place);
}

void Document::show(Loaded& loaded, bool keep_place) {
    const bool at_end = !replay_ || replay_->position() == decision_count();
    const std::size_t old_position = replay_ ? replay_->position() : 0;
    const std::shared_ptr<const Analysis> old = keep_place ? shown_ : nullptr;
    findings_ = std::move(loaded.findings);
    analysis_ = std::move(loaded.analysis);
    shown_ = analysis_;
    summary_ = std::move(loaded.summary);
    replay_ = std::move(loaded.replay);
    position_of_.assign(analysis_->graph->tensors.size(), -1);
    for (std::size_t p = 0; p < analysis_->graph->nodes.size(); ++p) {
        position_of_[analysis_->graph->nodes[p].index()] = static_cast<int>(p);
    }
    // An edit can change the graph (decode to prefill): places are kept by identity.
    const auto here = [&](TensorId tensor) { return same_tensor(old.get(), *analysis_, tensor); };
    const std::size_t decision =
        at_end || !keep_place ? decision_count() : std::min(old_position, decision_count());
    const auto place_of = [&](TensorId tensor) {
        return Selection::Place{tensor, split_of(tensor), decision};
    };
    const Selection::Place place = place_of(here(selection_.tensor()));
    if (old) {
        selection_.move_to_graph(place, [&](const Selection::Place& before) {
            const TensorId tensor = here(before.tensor);
            return tensor.valid() || !before.tensor.valid() ? std::optional(place_of(tensor)) : std::nullopt;
        });
    } else {
        selection_.reset(place);
    }
    replay_->seek(place.decision);
    last_move_ = {place.decision, place.decision};
    emit session_changed();
    emit analysis_changed();
    selection_.announce();
}

void Document::view_other(std::shared_ptr<const Analysis> other, const QString& name) {
    if (!analysis_) return;
    if (!other) {
        const bool withdrawn = std::exchange(other_expected_, false);
        if (withdrawn) analyse_job_.cancel();
        if (!own_) {
            if (withdrawn && behind_) analyse_session();
            return;
        }
        Loaded own = std::move(*own_);
        own_.reset();
        other_name_.clear();
        show(own, true);
        // Showing the other side took the place of scheduling an edit.
        if (behind_) analyse_session();
        return;
    }
    other_expected_ = true;
    analyse_job_.start([other](const JobContext& job) { return derive_from(other, job); },
                       [this, name](Loaded loaded) {
                           other_expected_ = false;
                           if (!own_) {
                               own_ = std::make_unique<Loaded>();
                               own_->analysis = analysis_;
                               own_->summary = summary_;
                               own_->findings = findings_;
                               own_->replay = replay_;
                           }
                           other_name_ = name;
                           show(loaded, true);
                       });
}

void Document::edit(const QString& what, const Session& changed, bool gradual) {
    if (!has_session()) return;
    try {
        // What moves has bounds of its own.
        if (!gradual) require_savable(changed);
    } catch (const Error& error) {
        emit refused(error_text(error));
        emit session_changed();
        return;
    }
    undo_stack_.push(new SessionEdit(*this, what, session_, changed, gradual));
}

void Document::edit_notes(const QString& what, const SessionNotes& changed) {
    if (!has_session() || changed == notes_) return;
    try {
        require_savable(changed);
    } catch (const Error& error) {
        emit refused(error_text(error));
        emit notes_changed();
        return;
    }
    undo_stack_.push(new NotesEdit(*this, what, changed));
}

void Document::apply_notes(const SessionNotes& notes) {
    notes_ = notes;
    ++changes_;
    emit notes_changed();
}

void Document::apply_session(const Session& session) {
    session_ = session;
    ++changes_;
    behind_ = true;
    emit session_changed();
    analyse_session();
}

void Document::analyse_session() {
    other_expected_ = false;
    analyse_job_.start([session = session_](const JobContext& job) { return derive(session, job); },
                       [this](Loaded loaded) { publish(std::move(loaded), true); });
}

SplitId Document::split_of(TensorId tensor) const {
    if (!tensor.valid() || !analysis_ || tensor.index() >= position_of_.size()) return {};
    const int position = position_of_[tensor.index()];
    if (position < 0 || analysis_->schedule->splits.empty()) return {};
    return analysis_->schedule->split_of_position(static_cast<std::size_t>(position));
}

void Document::select_tensor(TensorId tensor) {
    // A view may still show what was open before.
    if (tensor.valid() && (!analysis_ || !analysis_->schedule->has(tensor))) return;
    // Copies and dependency views are not in the graph: what they stand for is.
    if (tensor.valid() && analysis_->schedule->is_added(tensor)) {
        tensor = analysis_->schedule->added_of(tensor).original;
    }
    selection_.select_tensor(tensor, split_of(tensor));
}

void Document::select_neighbour(int step) {
    if (!analysis_ || analysis_->graph->nodes.empty()) return;
    const auto& nodes = analysis_->graph->nodes;
    const TensorId now = selection_.tensor();
    const int position = now.valid() && now.index() < position_of_.size() ? position_of_[now.index()] : -1;
    const int last = static_cast<int>(nodes.size()) - 1;
    const int next = position < 0 ? (step > 0 ? 0 : last) : std::clamp(position + step, 0, last);
    select_tensor(nodes[static_cast<std::size_t>(next)]);
}

TensorIdentity Document::selected() const {
    const TensorId tensor = selection_.tensor();
    return analysis_ && tensor.valid() ? analysis_->identities->of(tensor) : TensorIdentity();
}

std::size_t Document::decision_count() const {
    return analysis_ ? analysis_->schedule->decisions.size() : 0;
}

void Document::seek(std::size_t position) {
    selection_.set_decision(std::min(position, decision_count()));
}

void Document::seek_after(Pass pass) {
    if (!analysis_) return;
    std::size_t position = 0;
    for (const Schedule::PassEnd& end : analysis_->schedule->passes) {
        if (end.pass > pass) break;
        position = end.decisions_end;
    }
    seek(position);
}

void Document::step_decision(int step) {
    const auto now = static_cast<std::ptrdiff_t>(selection_.decision());
    const auto last = static_cast<std::ptrdiff_t>(decision_count());
    seek(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(now + step, 0, last)));
}

void Document::step_pass(int step) {
    if (!analysis_) return;
    const std::size_t now = selection_.decision();
    std::size_t target = step > 0 ? decision_count() : 0;
    for (const Schedule::PassEnd& end : analysis_->schedule->passes) {
        if (step > 0 && end.decisions_end > now) {
            target = end.decisions_end;
            break;
        }
        if (step < 0 && end.decisions_end < now) target = end.decisions_end;
    }
    seek(target);
}

bool Document::run_to_stop(int step) {
    if (!analysis_) return false;
    const Schedule& schedule = *analysis_->schedule;
    const std::size_t now = selection_.decision();
    const auto stop = step > 0 ? next_stop(schedule, notes_.stops, now, decision_count())
                               : previous_stop(schedule, notes_.stops, now);
    if (stop) seek(*stop);
    return stop.has_value();
}

bool Document::step_on_tensor(int step) {
    if (!analysis_ || !selection_.tensor().valid()) return false;
    const auto& decisions = analysis_->schedule->decisions;
    const std::size_t now = selection_.decision();
    const auto on_tensor = [this](const Decision& d) { return d.tensor == selection_.tensor(); };
    if (step > 0) {
        const auto found =
            std::find_if(decisions.begin() + static_cast<std::ptrdiff_t>(now), decisions.end(), on_tensor);
        if (found == decisions.end()) return false;
        seek(static_cast<std::size_t>(found - decisions.begin()) + 1);
        return true;
    }
    for (std::size_t d = now; d-- > 1;) {
        if (!on_tensor(decisions[d - 1])) continue;
        seek(d);
        return true;
    }
    return false;
}

}  // namespace splitscope::ui
