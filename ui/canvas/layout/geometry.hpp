// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

namespace splitscope::ui {

/// Scene coordinates: pixels at zoom 1, y downwards. Independent of Qt, so that layouts can be tested without
/// a GUI.
struct Point {
    double x = 0;
    double y = 0;
    friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
    friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
    friend bool operator==(const Point&, const Point&) = default;
};

struct Size {
    double width = 0;
    double height = 0;
    friend bool operator==(const Size&, const Size&) = default;
};

struct Rect {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;

    double right() const { return x + width; }
    double bottom() const { return y + height; }
    Point centre() const { return {x + width / 2, y + height / 2}; }
    bool contains(Point p) const { return p.x >= x && p.x <= right() && p.y >= y && p.y <= bottom(); }
    bool overlaps(const Rect& o) const {
        return x < o.right() && o.x < right() && y < o.bottom() && o.y < bottom();
    }
    friend bool operator==(const Rect&, const Rect&) = default;
};

inline Rect centred(Point centre, Size size) {
    return {centre.x - size.width / 2, centre.y - size.height / 2, size.width, size.height};
}

}  // namespace splitscope::ui
