// SPDX-License-Identifier: MIT
// Parts of report sections. Each format renders the parts that it supports.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "engine/reports/table.hpp"

namespace splitscope {

struct Report;
struct Part;

struct Fact {
    std::string name;
    std::string value;
};

/// A sentence in place of missing contents.
struct Note {
    std::string text;
};

/// Introduction of a section; HTML pages only.
struct Introduction {
    std::string text;
};

struct Facts {
    std::vector<Fact> facts;
    bool tiles = false;  ///< large, side by side if there is room
};

/// Presentation of a table on pages; other formats show it with its title.
enum class TableLook : std::uint8_t {
    plain,           ///< without a title
    titled,          ///< omitted without rows
    folded,          ///< initially closed
    folded_if_long,  ///< initially open if short
};

struct ShownTable {
    Table table;
    TableLook look = TableLook::plain;
};

/// A picture on pages, as SVG (figures.hpp).
struct Picture {
    std::function<std::string(const Report& report)> draw;
    std::string caption;
    bool fits = true;  ///< scaled to the page; otherwise scrolled, in a frame if there are many splits
};

/// A prompt and the generated text.
struct Quote {
    std::string prompt;
    std::string text;
};

/// Names of the backends in their colours; HTML pages only.
struct BackendKey {};

/// Parts under a heading. Pages omit it if it has only tables without rows.
struct Group {
    std::string title;
    std::string figures;  ///< beside the title: "12 decisions, 3 changed a backend"
    std::string text;
    std::vector<Part> parts;
    bool folded = false;
};

struct Part {
    std::variant<Note, Introduction, Facts, ShownTable, Picture, Quote, BackendKey, Group> what;

    template <class What>
    Part(What made) : what(std::move(made)) {}  // NOLINT: implicit from each alternative
};

/// Whether pages have something to show for it.
bool has_content(const Group& group);

template <class... Visitors>
struct PartVisitor : Visitors... {
    using Visitors::operator()...;
};
template <class... Visitors>
PartVisitor(Visitors...) -> PartVisitor<Visitors...>;

}  // namespace splitscope
