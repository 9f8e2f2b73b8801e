// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/window_style.hpp"

namespace splitscope::ui {

QIcon WindowStyle::standardIcon(StandardPixmap kind, const QStyleOption* option,
                                const QWidget* widget) const {
    const auto kept = icons_.constFind(kind);
    if (kept != icons_.constEnd()) return *kept;
    return *icons_.insert(kind, QProxyStyle::standardIcon(kind, option, widget));
}

}  // namespace splitscope::ui
