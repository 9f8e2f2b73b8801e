// SPDX-License-Identifier: MIT
#include "tests/cli/json_schema.hpp"

#include <algorithm>
#include <fstream>
#include <set>

namespace splitscope::test {
namespace {

using Json = nlohmann::json;

bool is_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    if (type == "integer") return value.is_number_integer();
    return type == "number" && value.is_number();
}

class Validator {
 public:
    explicit Validator(const Json& root) : root_(root) {}

    std::string check(const Json& schema, const Json& value, const std::string& at) const {
        static const std::set<std::string> known = {"$schema",
                                                    "$id",
                                                    "title",
                                                    "description",
                                                    "definitions",
                                                    "$ref",
                                                    "type",
                                                    "const",
                                                    "enum",
                                                    "anyOf",
                                                    "properties",
                                                    "required",
                                                    "additionalProperties",
                                                    "items",
                                                    "minItems",
                                                    "maxItems",
                                                    "minimum"};
        for (const auto& [key, ignored] : schema.items()) {
            if (!known.contains(key))
                return at + ": the schema uses '" + key + "', which this check does not know";
        }
        if (schema.contains("$ref")) {
            const std::string name =
                schema["$ref"].get<std::string>().substr(std::string("#/definitions/").size());
            return check(root_.at("definitions").at(name), value, at);
        }
        if (schema.contains("const") && schema["const"] != value)
            return at + ": is not " + schema["const"].dump();
        if (schema.contains("enum") && std::ranges::find(schema["enum"], value) == schema["enum"].end())
            return at + ": is none of " + schema["enum"].dump();
        if (schema.contains("type") && !has_type(schema["type"], value))
            return at + ": is not " + schema["type"].dump() + " but " + value.dump().substr(0, 60);
        if (schema.contains("minimum") && value.is_number() && value < schema["minimum"])
            return at + ": is too small";
        if (schema.contains("anyOf")) return any_of(schema["anyOf"], value, at);
        if (value.is_object()) return object(schema, value, at);
        if (value.is_array()) return array(schema, value, at);
        return {};
    }

 private:
    static bool has_type(const Json& type, const Json& value) {
        if (type.is_string()) return is_type(value, type);
        return std::ranges::any_of(type, [&](const Json& one) { return is_type(value, one); });
    }

    std::string any_of(const Json& choices, const Json& value, const std::string& at) const {
        std::string problems;
        for (const Json& choice : choices) {
            const std::string problem = check(choice, value, at);
            if (problem.empty()) return {};
            problems += (problems.empty() ? "" : "; or ") + problem;
        }
        return problems;
    }

    std::string object(const Json& schema, const Json& value, const std::string& at) const {
        if (schema.contains("required")) {
            for (const Json& key : schema["required"]) {
                if (!value.contains(key.get<std::string>())) return at + ": lacks " + key.dump();
            }
        }
        const Json properties = schema.value("properties", Json::object());
        for (const auto& [key, member] : value.items()) {
            const std::string place = at + "/" + key;
            std::string problem;
            if (properties.contains(key)) {
                problem = check(properties[key], member, place);
            } else if (schema.contains("additionalProperties")) {
                const Json& others = schema["additionalProperties"];
                if (others.is_object())
                    problem = check(others, member, place);
                else if (others == false)
                    problem = place + ": is not in the schema";
            }
            if (!problem.empty()) return problem;
        }
        return {};
    }

    std::string array(const Json& schema, const Json& value, const std::string& at) const {
        if (schema.contains("minItems") && value.size() < schema["minItems"].get<std::size_t>())
            return at + ": has too few elements";
        if (schema.contains("maxItems") && value.size() > schema["maxItems"].get<std::size_t>())
            return at + ": has too many elements";
        if (!schema.contains("items")) return {};
        for (std::size_t i = 0; i < value.size(); ++i) {
            std::string problem = check(schema["items"], value[i], at + "/" + std::to_string(i));
            if (!problem.empty()) return problem;
        }
        return {};
    }

    const Json& root_;
};

}  // namespace

std::string schema_problem(const Json& schema, const Json& value) {
    return Validator(schema).check(schema, value, "");
}

Json schema_named(const std::string& name) {
    std::ifstream file(SPLITSCOPE_SOURCE_DIR "/resources/schemas/" + name + ".schema.json");
    return Json::parse(file);
}

}  // namespace splitscope::test
