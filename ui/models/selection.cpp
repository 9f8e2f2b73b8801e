// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/selection.hpp"

#include <utility>

namespace splitscope::ui {
namespace {

constexpr std::size_t kMaxHistory = 200;

}  // namespace

void Selection::remember() {
    back_.push_back(now_);
    if (back_.size() > kMaxHistory) back_.erase(back_.begin());
    forward_.clear();
}

void Selection::move_to(const Place& place) {
    const Place old = now_;
    now_ = place;
    if (old.decision != now_.decision) emit decision_changed();
    if (old.split != now_.split) emit split_changed();
    if (old.tensor != now_.tensor) emit tensor_changed();
}

void Selection::select_tensor(TensorId tensor, SplitId split) {
    if (tensor == now_.tensor) return;
    remember();
    move_to({tensor, split.valid() ? split : now_.split, now_.decision});
    emit history_changed();
}

void Selection::select_split(SplitId split) {
    if (split == now_.split) return;
    remember();
    move_to({now_.tensor, split, now_.decision});
    emit history_changed();
}

void Selection::set_decision(std::size_t decision) {
    move_to({now_.tensor, now_.split, decision});
}

void Selection::reset(const Place& place) {
    back_.clear();
    forward_.clear();
    now_ = place;
}

void Selection::move_to_graph(const Place& place,
                              const std::function<std::optional<Place>(const Place&)>& place_there) {
    now_ = place;
    for (std::vector<Place>* history : {&back_, &forward_}) {
        std::vector<Place> kept;
        for (const Place& old : *history) {
            if (const auto there = place_there(old)) kept.push_back(*there);
        }
        *history = std::move(kept);
    }
}

void Selection::announce() {
    emit decision_changed();
    emit split_changed();
    emit tensor_changed();
    emit history_changed();
}

void Selection::go_back() {
    if (back_.empty()) return;
    const Place target = back_.back();
    back_.pop_back();
    forward_.push_back(now_);
    move_to(target);
    emit history_changed();
}

void Selection::go_forward() {
    if (forward_.empty()) return;
    const Place target = forward_.back();
    forward_.pop_back();
    back_.push_back(now_);
    move_to(target);
    emit history_changed();
}

}  // namespace splitscope::ui
