// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/document.hpp"

#include <QUndoCommand>
#include <algorithm>

#include "engine/session/live_run.hpp"
#include "engine/session/session_json.hpp"
#include "engine/support/file.hpp"
#include "ui/document/open_session.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {

/// One undoable change of the session. The session is small: both sides are kept whole.
class SessionEdit : public QUndoCommand {
 public:
    SessionEdit(Document& document, const QString& what, Session before, Session after)
        : QUndoCommand(what), document_(document), before_(std::move(before)), after_(std::move(after)) {}

    void undo() override { document_.apply_session(before_); }
    void redo() override { document_.apply_session(after_); }
    int id() const override { return 1; }
    /// Dragging a slider is one change.
    bool mergeWith(const QUndoCommand* other) override {
        const auto* edit = static_cast<const SessionEdit*>(other);
        if (edit->text() != text()) return false;
        after_ = edit->after_;
        return true;
    }

 private:
    Document& document_;
    Session before_;
    Session after_;
};

Document::Document(QObject* parent)
    : QObject(parent), open_job_(tr("Opening")), analyse_job_(tr("Scheduling")) {
    connect(&selection_, &Selection::decision_changed, this, [this] {
        if (!replay_) return;
        replay_->seek(std::min(selection_.decision(), decision_count()));
        emit state_changed();
    });
}

Document::Loaded Document::derive(Session session, const JobContext& job) {
    Loaded loaded;
    loaded.analysis = analyse(session, job);
    loaded.session = std::move(session);
    job.check();
    loaded.summary = std::make_shared<const Summary>(summarise(*loaded.analysis));
    loaded.findings = list_findings(*loaded.analysis, *loaded.summary);
    loaded.replay = std::make_shared<Replay>(loaded.analysis->schedule);
    loaded.replay->seek(loaded.analysis->schedule->decisions.size());
    if (const auto reason = splitscope::why_not_runnable(loaded.session))
        loaded.not_runnable = to_text(*reason);
    return loaded;
}

void Document::open(const std::filesystem::path& path) {
    analyse_job_.cancel();
    open_job_.start(
        [path](const JobContext& job) {
            job.report(-1, "reading the file");
            Session session = open_any(path, job);
            job.check();
            job.report(-1, "scheduling");
            return derive(std::move(session), job);
        },
        [this, path](Loaded loaded) {
            undo_stack_.clear();
            publish(std::move(loaded), false);
            emit opened(QString::fromStdString(path.string()));
        });
}

void Document::save_session(const std::filesystem::path& path) const {
    write_file_atomically(path, write_session_json(session_, path.parent_path()));
}

void Document::publish(Loaded loaded, bool keep_place) {
    const bool at_end = !replay_ || replay_->position() == decision_count();
    const std::size_t old_position = replay_ ? replay_->position() : 0;
    const std::string old_name = keep_place && analysis_ && selection_.tensor().valid()
                                     ? (*analysis_->graph)[selection_.tensor()].name
                                     : "";

    // Edits merged into one, like the dragging of a slider, are compared with what was before the first.
    if (!keep_place) {
        previous_analysis_.reset();
        previous_summary_.reset();
    } else if (undo_stack_.index() != published_edit_) {
        previous_analysis_ = analysis_;
        previous_summary_ = summary_;
    }
    published_edit_ = undo_stack_.index();
    session_ = std::move(loaded.session);
    findings_ = std::move(loaded.findings);
    analysis_ = std::move(loaded.analysis);
    summary_ = std::move(loaded.summary);
    replay_ = std::move(loaded.replay);
    not_runnable_ = std::move(loaded.not_runnable);
    position_of_.assign(analysis_->graph->tensors.size(), -1);
    for (std::size_t p = 0; p < analysis_->graph->nodes.size(); ++p) {
        position_of_[analysis_->graph->nodes[p].index()] = static_cast<int>(p);
    }
    // An edit can change the graph (decode to prefill): the place is kept by name.
    Selection::Place place;
    if (!old_name.empty()) place.tensor = analysis_->graph->find(old_name).value_or(TensorId());
    place.split = split_of(place.tensor);
    place.decision = at_end || !keep_place ? decision_count() : std::min(old_position, decision_count());
    selection_.reset(place);
    replay_->seek(place.decision);
    emit session_changed();
    emit analysis_changed();
    selection_.announce();
}

void Document::edit(const QString& what, const Session& changed) {
    if (!has_session()) return;
    undo_stack_.push(new SessionEdit(*this, what, session_, changed));
}

void Document::apply_session(const Session& session) {
    session_ = session;
    emit session_changed();
    analyse_job_.start([session](const JobContext& job) { return derive(session, job); },
                       [this](Loaded loaded) { publish(std::move(loaded), true); });
}

SplitId Document::split_of(TensorId tensor) const {
    if (!tensor.valid() || !analysis_ || tensor.index() >= position_of_.size()) return {};
    const int position = position_of_[tensor.index()];
    if (position < 0 || analysis_->schedule->splits.empty()) return {};
    return analysis_->schedule->split_of_position(static_cast<std::size_t>(position));
}

void Document::select_tensor(TensorId tensor) {
    // Copies and dependency views are not in the graph: what they stand for is.
    if (analysis_ && tensor.valid() && analysis_->schedule->is_added(tensor)) {
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
