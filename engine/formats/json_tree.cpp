// SPDX-License-Identifier: MIT
#include "engine/formats/json_tree.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/formats/messages.hpp"
#include "engine/support/error.hpp"

namespace splitscope {
namespace {

using nlohmann::json;

/// Removes all children, so that the value is destroyed without allocating a list of them. Recursive:
/// documents are not deep (see JsonTree::parsed).
void take_apart(json& value) {
    if (auto* const array = value.get_ptr<json::array_t*>()) {
        for (json& child : *array) take_apart(child);
        array->clear();
    } else if (auto* const object = value.get_ptr<json::object_t*>()) {
        for (auto& member : *object) take_apart(member.second);
        object->clear();
    }
}

/// What the library expected, by the end of its description.
Message expected(std::string_view description) {
    struct Row {
        std::string_view end;
        const Sentence<>& sentence;
    };
    static constexpr std::array kRows = {
        Row{"expected string literal", msg::kExpectedKey}, Row{"expected ':'", msg::kExpectedColon},
        Row{"expected '}'", msg::kExpectedCommaOrBrace},   Row{"expected ']'", msg::kExpectedCommaOrBracket},
        Row{"expected end of input", msg::kExpectedEnd},   Row{"or a literal", msg::kExpectedValue}};
    for (const Row& row : kRows)
        if (description.ends_with(row.end)) return row.sentence;
    return msg::kNotJson;
}

/// Builds the tree in its owner, so that the library never destroys a part of it when memory runs out.
class TreeBuilder : public nlohmann::json_sax<json> {
 public:
    TreeBuilder(json& root, std::string_view document, std::size_t at)
        : root_(root), document_(document), at_(at) {}

    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override { return add(value); }
    bool number_unsigned(number_unsigned_t value) override { return add(value); }
    bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
    bool string(string_t& value) override { return add(value); }
    bool binary(binary_t& /*value*/) override { return false; }

    bool start_object(std::size_t /*members*/) override {
        open_.push_back(&place(json::object()));
        return true;
    }
    bool key(string_t& key) override {
        member_ = &(*open_.back())[key];
        // Of several members with one name, the last one counts.
        take_apart(*member_);
        return true;
    }
    bool end_object() override { return close(); }
    bool start_array(std::size_t /*elements*/) override {
        open_.push_back(&place(json::array()));
        return true;
    }
    bool end_array() override { return close(); }

    bool parse_error(std::size_t position, const std::string& /*token*/,
                     const nlohmann::detail::exception& error) override {
        constexpr int kNumberOutOfRange = 406;
        if (error.id == kNumberOutOfRange)
            throw Error(ErrorKind::bad_file, msg::kNumberTooLarge, {}, msg::kUse64BitNumbers);
        // The library counts from 1; where the text ends too early, it points behind it.
        throw Error(ErrorKind::bad_file, expected(error.what()),
                    line_and_column(document_, at_ + std::max<std::size_t>(position, 1) - 1),
                    msg::kCheckTextThere);
    }

 private:
    json& place(json value) {
        if (open_.empty()) {
            root_.swap(value);
            return root_;
        }
        if (open_.back()->is_array()) return open_.back()->emplace_back(std::move(value));
        member_->swap(value);
        return *member_;
    }
    bool add(json value) {
        place(std::move(value));
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    json& root_;
    std::string_view document_;
    std::size_t at_;
    std::vector<json*> open_;  ///< arrays and objects that contain the current position
    json* member_ = nullptr;   ///< whose value comes next
};

}  // namespace

JsonTree JsonTree::parsed(std::string_view text, std::string_view document, std::size_t at) {
    JsonTree tree;
    TreeBuilder builder(*tree.root_, document, at);
    json::sax_parse(text, &builder);
    return tree;
}

JsonTree::JsonTree() : root_(std::make_unique<json>()) {}

JsonTree::JsonTree(JsonTree&& other) noexcept = default;

JsonTree& JsonTree::operator=(JsonTree&& other) noexcept {
    root_.swap(other.root_);
    return *this;
}

JsonTree::~JsonTree() {
    if (root_) take_apart(*root_);
}

void JsonTree::put(const std::string& key, JsonTree value) {
    (*root_)[key].swap(*value.root_);
}

}  // namespace splitscope
