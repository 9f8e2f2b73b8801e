// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/qt_text.hpp"

#include <QCoreApplication>
#include <QLocale>

#include "engine/messages/format_bytes.hpp"
#include "engine/tensor/shape.hpp"
#include "ui/models/op_params.hpp"

namespace splitscope::ui {
namespace {

class QtText {
    Q_DECLARE_TR_FUNCTIONS(splitscope::ui::QtText)
};

}  // namespace

QString bytes_text(std::uint64_t bytes) {
    return to_text(format_bytes(bytes));
}

QString count_text(std::uint64_t count) {
    // The C locale has no digit grouping, and system locales may not match the UI language.
    static const QLocale grouped(QLocale::English, QLocale::UnitedStates);
    return grouped.toString(static_cast<qulonglong>(count));
}

QString nodes_text(std::size_t computing, std::size_t views) {
    QStringList parts;
    if (computing > 0 || views == 0)
        parts += computing == 1 ? QtText::tr("1 node") : QtText::tr("%1 nodes").arg(count_text(computing));
    if (views > 0) parts += views == 1 ? QtText::tr("1 view") : QtText::tr("%1 views").arg(count_text(views));
    return parts.join(QtText::tr(", "));
}

QString tensor_label(const Schedule& schedule, TensorId tensor) {
    if (!tensor.valid()) return QStringLiteral("–");
    const std::string& name = schedule.tensor(tensor).name;
    return name.empty() ? QStringLiteral("#%1").arg(tensor.value) : to_text(name).trimmed();
}

QString op_label(const Tensor& tensor) {
    QString text = to_text(name_of(tensor.op));
    // A file can contain any number as a kind; only known ones have names.
    const auto kind = tensor.op_params[0];
    if (tensor.op == Op::unary && kind >= 0 && kind <= static_cast<int>(UnaryKind::trunc)) {
        text += QLatin1Char(' ') + to_text(name_of(static_cast<UnaryKind>(kind))).toLower();
    }
    if (tensor.op == Op::glu && kind >= 0 && kind <= static_cast<int>(GluKind::geglu_quick)) {
        text += QLatin1Char(' ') + to_text(name_of(static_cast<GluKind>(kind))).toLower();
    }
    return text;
}

QString shape_label(const Tensor& tensor) {
    return to_text(name_of(tensor.type)) + QLatin1Char(' ') + to_text(format_shape(tensor.ne));
}

QString op_params_label(const Tensor& tensor) {
    QStringList parts;
    for (const ShownParam& param : op_params_of(tensor)) parts += param.name + QLatin1Char(' ') + param.value;
    return parts.join(QStringLiteral(" · "));
}

}  // namespace splitscope::ui
