// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/refusal_text.hpp"

#include <utility>

#include "engine/tensor/element_type.hpp"
#include "engine/tensor/op.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

/// The element type with this name in any case; other names in lower case.
std::string type_name(const QString& text) {
    for (const ElementTypeTraits& type : element_types())
        if (text.compare(to_text(type.name), Qt::CaseInsensitive) == 0) return std::string(type.name);
    return text.toLower().toStdString();
}

}  // namespace

QString joined_names(const std::vector<std::string>& names) {
    QStringList list;
    for (const std::string& name : names) list += to_text(name);
    return list.join(QStringLiteral(", "));
}

std::vector<std::string> names_in(const QString& text) {
    std::vector<std::string> names;
    for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        const QString name = part.trimmed();
        if (!name.isEmpty()) names.push_back(name.toStdString());
    }
    return names;
}

std::vector<std::string> refused_types_in(const QString& text) {
    std::vector<std::string> types = names_in(text);
    for (std::string& type : types) type = type_name(to_text(type));
    return types;
}

QString refused_ops_text(const MachineBackend& backend) {
    QStringList list;
    for (const std::string& op : backend.unsupported_ops) list += to_text(op);
    for (const UnsupportedPair& pair : backend.unsupported) {
        QStringList types;
        for (const std::string& type : pair.types) types += to_text(type);
        list += QStringLiteral("%1:%2").arg(to_text(pair.op), types.join(QLatin1Char('+')));
    }
    return list.join(QStringLiteral(", "));
}

RefusedOps refused_ops_in(const QString& text) {
    RefusedOps refused;
    for (const std::string& part : names_in(text)) {
        const QString entry = to_text(part);
        const std::string op = entry.section(QLatin1Char(':'), 0, 0).trimmed().toUpper().toStdString();
        std::vector<std::string> types;
        for (const QString& type :
             entry.section(QLatin1Char(':'), 1).split(QLatin1Char('+'), Qt::SkipEmptyParts))
            types.push_back(type_name(type.trimmed()));
        if (!entry.contains(QLatin1Char(':'))) {
            refused.always.push_back(op);
        } else {
            refused.with_types.push_back({op, std::move(types)});
        }
    }
    return refused;
}

QStringList names_without_effect(const MachineBackend& backend) {
    QStringList unknown;
    const auto check_op = [&](const std::string& op) {
        if (!op_named(op)) unknown += to_text(op);
    };
    const auto check_type = [&](const std::string& type) {
        if (!element_type_named(type)) unknown += to_text(type);
    };
    for (const std::string& op : backend.unsupported_ops) check_op(op);
    for (const std::string& type : backend.unsupported_types) check_type(type);
    for (const UnsupportedPair& pair : backend.unsupported) {
        check_op(pair.op);
        for (const std::string& type : pair.types) check_type(type);
    }
    unknown.removeDuplicates();
    return unknown;
}

}  // namespace splitscope::ui
