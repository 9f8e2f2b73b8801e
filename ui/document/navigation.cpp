// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/navigation.hpp"

#include <algorithm>
#include <optional>

namespace splitscope::ui {
namespace {

/// Maps a tensor of `there` to `here`.
TensorId same_tensor(const Analysis& there, const Analysis& here, TensorId tensor) {
    if (!tensor.valid() || tensor.index() >= there.graph->tensors.size()) return {};
    if (there.graph == here.graph) return tensor;
    return here.identities->find(there.identities->of(tensor));
}

}  // namespace

Navigation::Navigation(QObject* parent) : QObject(parent) {
    connect(&selection_, &Selection::decision_changed, this, [this] {
        if (!shown_) return;
        Replay& replay = *shown_->replay;
        const std::size_t before = replay.position();
        replay.seek(std::min(selection_.decision(), decision_count()));
        if (replay.position() != before) last_move_ = {before, replay.position()};
        emit state_changed();
    });
}

void Navigation::show(std::shared_ptr<const Shown> shown, bool keep_place) {
    const std::shared_ptr<const Shown> before = std::exchange(shown_, std::move(shown));
    // An edit can replace the graph (decode to prefill): positions are kept by identity.
    const auto here = [&](TensorId tensor) {
        return before && keep_place ? same_tensor(*before->analysis, *shown_->analysis, tensor) : TensorId();
    };
    const bool at_end = !before || before->replay->position() == before->decision_count();
    const std::size_t decision =
        at_end || !keep_place ? decision_count() : std::min(before->replay->position(), decision_count());
    const auto place_of = [&](TensorId tensor) {
        return Selection::Place{tensor, shown_->split(tensor), decision};
    };
    const Selection::Place place = place_of(here(selection_.tensor()));
    if (before && keep_place) {
        selection_.move_to_graph(place, [&](const Selection::Place& old) {
            const TensorId tensor = here(old.tensor);
            return tensor.valid() || !old.tensor.valid() ? std::optional(place_of(tensor)) : std::nullopt;
        });
    } else {
        selection_.reset(place);
    }
    shown_->replay->seek(place.decision);
    last_move_ = {place.decision, place.decision};
}

TensorIdentity Navigation::selected() const {
    const TensorId tensor = selection_.tensor();
    return shown_ && tensor.valid() ? shown_->analysis->identities->of(tensor) : TensorIdentity();
}

void Navigation::select_tensor(TensorId tensor) {
    if (tensor.valid()) {
        // A view may still show the previous snapshot.
        if (!shown_ || !shown_->analysis->schedule->has(tensor)) return;
        // Copies and dependency views are not in the graph: use their originals.
        const Schedule& schedule = *shown_->analysis->schedule;
        if (schedule.is_added(tensor)) tensor = schedule.added_of(tensor).original;
    }
    selection_.select_tensor(tensor, shown_ ? shown_->split(tensor) : SplitId());
}

void Navigation::select_neighbour(int step) {
    if (!shown_ || shown_->analysis->graph->nodes.empty()) return;
    const auto& nodes = shown_->analysis->graph->nodes;
    const int position = shown_->position(selection_.tensor());
    const int last = static_cast<int>(nodes.size()) - 1;
    const int next = position < 0 ? (step > 0 ? 0 : last) : std::clamp(position + step, 0, last);
    select_tensor(nodes[static_cast<std::size_t>(next)]);
}

void Navigation::seek(std::size_t position) {
    selection_.set_decision(std::min(position, decision_count()));
}

void Navigation::step_decision(int step) {
    const auto now = static_cast<std::ptrdiff_t>(selection_.decision());
    const auto last = static_cast<std::ptrdiff_t>(decision_count());
    seek(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(now + step, 0, last)));
}

void Navigation::step_pass(int step) {
    if (!shown_) return;
    const std::size_t now = selection_.decision();
    std::size_t target = step > 0 ? decision_count() : 0;
    for (const Schedule::PassEnd& end : shown_->analysis->schedule->passes) {
        if (step > 0 && end.decisions_end > now) {
            target = end.decisions_end;
            break;
        }
        if (step < 0 && end.decisions_end < now) target = end.decisions_end;
    }
    seek(target);
}

bool Navigation::run_to_stop(std::span<const DecisionStop> stops, int step) {
    if (!shown_) return false;
    const Schedule& schedule = *shown_->analysis->schedule;
    const std::size_t now = selection_.decision();
    const auto stop =
        step > 0 ? next_stop(schedule, stops, now, decision_count()) : previous_stop(schedule, stops, now);
    if (stop) seek(*stop);
    return stop.has_value();
}

bool Navigation::step_on_tensor(int step) {
    if (!shown_ || !selection_.tensor().valid()) return false;
    const auto& decisions = shown_->analysis->schedule->decisions;
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
