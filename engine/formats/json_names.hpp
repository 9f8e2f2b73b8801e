// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/formats/json_cursor.hpp"
#include "engine/tensor/element_type.hpp"
#include "engine/tensor/op.hpp"

namespace splitscope {

/// The operation or element type that a string names. Throw Error(bad_file) that suggests the most similar
/// known name.
Op read_op(const JsonCursor& name);
ElementType read_element_type(const JsonCursor& name);

/// "did you mean …?" with the known name most similar to `name`; `otherwise` if none is similar.
Message did_you_mean(const std::vector<std::string>& known, std::string_view name, Message otherwise);

}  // namespace splitscope
