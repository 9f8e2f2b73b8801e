// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engine/models/templates/value.hpp"

namespace splitscope::templates {

class Interpreter;

/// `value | name(arguments)`. Throws Failure, also for an unknown name.
Value filtered(Interpreter& interpreter, const std::string& name, const Value& value, Arguments arguments);
/// `value is name(arguments)`
bool tested(Interpreter& interpreter, const std::string& name, const Value& value,
            const Arguments& arguments);
/// A method of texts, lists and dictionaries; none where the kind has no method of this name. Throws Failure
/// for one that Python has and this interpreter does not.
std::optional<Value> method_of(const Value& value, const std::string& name);
/// range, namespace, dict and raise_exception.
Dictionary functions();

/// A function named `name` that calls `call`.
std::shared_ptr<const Function> function(std::string name,
                                         std::function<Value(Interpreter&, Arguments&)> call);

}  // namespace splitscope::templates
