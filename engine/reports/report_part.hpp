// SPDX-License-Identifier: MIT
// What sections of a report consist of. Each format shows of a part what it can.
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

/// A sentence in the place of what there is nothing of.
struct Note {
    std::string text;
};

/// What the section is about; on pages of HTML only.
struct Introduction {
    std::string text;
};

struct Facts {
    std::vector<Fact> facts;
    bool tiles = false;  ///< large, side by side, where there is room
};

/// How pages show a table; everything else shows it with its title.
enum class TableLook : std::uint8_t {
    plain,           ///< without a title
    titled,          ///< nothing when there are no rows
    folded,          ///< closed until it is asked for
    folded_if_long,  ///< open when it is short
};

struct ShownTable {
    Table table;
    TableLook look = TableLook::plain;
};

/// A picture on pages, as SVG (figures.hpp).
struct Picture {
    std::function<std::string(const Report& report)> draw;
    std::string caption;
    bool fits = true;  ///< scaled to the page; else scrolled, in a frame where there are many splits
};

/// A prompt and what was generated.
struct Quote {
    std::string prompt;
    std::string text;
};

/// Names of the backends in their colours; on pages of HTML only.
struct BackendKey {};

/// Parts under a heading. Pages leave it out when its tables have no rows and there is nothing else.
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
    Part(What made) : what(std::move(made)) {}  // NOLINT: a part is any of them
};

/// Whether pages have something to show of it.
bool has_content(const Group& group);

template <class... Visitors>
struct PartVisitor : Visitors... {
    using Visitors::operator()...;
};
template <class... Visitors>
PartVisitor(Visitors...) -> PartVisitor<Visitors...>;

}  // namespace splitscope
