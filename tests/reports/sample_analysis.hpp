// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "engine/session/session.hpp"

namespace splitscope::test {

/// Two products on a GPU and on the CPU with copies in between. The first weight has the given name, for
/// hostile names in reports.
std::shared_ptr<const Analysis> two_backend_analysis(const std::string& weight_name = "weight");

/// A chain of additions, `nodes` of them, every tenth on the CPU by the user's assignment.
std::shared_ptr<const Analysis> long_analysis(std::size_t nodes);

/// A hundred splits alternating between two devices. All read "twice", a node of the first that is listed
/// again in another split, the last and only one of the CPU.
std::shared_ptr<const Analysis> twice_listed_analysis();

/// One addition and many leafs, each in a separate buffer.
std::shared_ptr<const Analysis> many_buffers_analysis(std::size_t buffers);

}  // namespace splitscope::test
