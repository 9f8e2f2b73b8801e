// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/session/session.hpp"

namespace splitscope::ui {

/// The tensor itself if it is a weight, else the first weight that it reads; none without a weight or a
/// model.
TensorId weight_of(const Analysis& analysis, TensorId tensor);

/// A possible location of weights: the distinct default buffer types of the machine's backends.
struct WeightPlace {
    std::string target;    ///< as in override rules
    BackendId backend;     ///< the first with this default
    bool present = false;  ///< the weight is there
};
std::vector<WeightPlace> weight_places(const Analysis& analysis, TensorId weight);

/// The session with a rule for this weight before all others; replaces an existing one.
Session with_weight_on(Session session, const std::string& weight, const std::string& target);

}  // namespace splitscope::ui
