// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/weight_place.hpp"

#include <QRegularExpression>
#include <QString>
#include <algorithm>

#include "ui/models/why.hpp"

namespace splitscope::ui {

TensorId weight_of(const Analysis& analysis, TensorId tensor) {
    const auto& model = analysis.session.file->model;
    if (!model || !tensor.valid() || tensor.index() >= analysis.graph->tensors.size()) return {};
    const auto is_weight = [&](TensorId id) {
        if (!id.valid()) return false;
        const Tensor& t = (*analysis.graph)[id];
        return t.op == Op::none && model->file().find_tensor(t.name).has_value();
    };
    if (is_weight(tensor)) return tensor;
    const Sources& sources = (*analysis.graph)[tensor].src;
    const auto found = std::ranges::find_if(sources, is_weight);
    return found == sources.end() ? TensorId() : *found;
}

std::vector<WeightPlace> weight_places(const Analysis& analysis, TensorId weight) {
    const Machine& machine = *analysis.machine;
    const BackendId now = explain_placement(analysis, weight).backend;
    std::vector<WeightPlace> places;
    for (std::size_t b = 0; b < machine.backends.size(); ++b) {
        const std::string& name = machine.buffer_types[machine.backends[b].buffer_type.index()].name;
        if (std::ranges::find(places, name, &WeightPlace::target) != places.end()) continue;
        places.push_back({name, BackendId(b), BackendId(b) == now});
    }
    return places;
}

Session with_weight_on(Session session, const std::string& weight, const std::string& target) {
    const std::string pattern =
        "^" + QRegularExpression::escape(QString::fromStdString(weight)).toStdString() + "$";
    std::vector<OverrideRule>& rules = session.model_options.overrides;
    std::erase_if(rules, [&](const OverrideRule& rule) { return rule.pattern == pattern; });
    rules.insert(rules.begin(), {pattern, target, "--override-tensor"});
    return session;
}

}  // namespace splitscope::ui
