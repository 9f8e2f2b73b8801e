// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/session/session.hpp"

namespace splitscope::ui {

/// The weight that a tensor of the analysed model is, or else the first that its operation reads; none where
/// there is none, and in graphs without a model.
TensorId weight_of(const Analysis& analysis, TensorId tensor);

/// Where weights can be kept: the default buffer types of the machine's backends, each once.
struct WeightPlace {
    std::string target;    ///< as override rules name it
    BackendId backend;     ///< the first whose default it is
    bool present = false;  ///< the weight is there
};
std::vector<WeightPlace> weight_places(const Analysis& analysis, TensorId weight);

/// The session with a rule for exactly this weight, before all others; one that it had is replaced.
Session with_weight_on(Session session, const std::string& weight, const std::string& target);

}  // namespace splitscope::ui
