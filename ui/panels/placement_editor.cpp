// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/placement_editor.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QRegularExpression>
#include <QRegularExpressionValidator>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/session/model_placement.hpp"
#include "engine/support/limits.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/message_text.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/panels/panel_parts.hpp"
#include "ui/panels/session_edits.hpp"
#include "ui/panels/table_style.hpp"

namespace splitscope::ui {
namespace {

/// Offers the machine's buffer types as targets of a rule.
class TargetDelegate : public QStyledItemDelegate {
 public:
    TargetDelegate(const Document& document, QObject* parent)
        : QStyledItemDelegate(parent), document_(document) {}

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex&) const override {
        auto* box = new QComboBox(parent);
        const Machine& machine = document_.session().machine;
        for (const MachineBackend& backend : machine.backends) {
            const QString name = to_text(machine.buffer_types[backend.buffer_type.index()].name);
            if (box->findText(name) < 0) box->addItem(name);
        }
        return box;
    }
    void setEditorData(QWidget* editor, const QModelIndex& index) const override {
        auto* box = qobject_cast<QComboBox*>(editor);
        box->setCurrentIndex(std::max(0, box->findText(index.data(Qt::EditRole).toString())));
    }
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override {
        model->setData(index, qobject_cast<QComboBox*>(editor)->currentText(), Qt::EditRole);
    }

 private:
    const Document& document_;
};

/// The tensor's name as an exact regular expression.
std::string exactly(const std::string& name) {
    return "^" + QRegularExpression::escape(to_text(name)).toStdString() + "$";
}

QString shares_text(const std::vector<float>& shares) {
    QStringList parts;
    for (const float share : shares) parts += QString::number(share);
    return parts.join(QLatin1Char(','));
}

std::vector<float> shares_in(const QString& text) {
    std::vector<float> shares;
    for (const QString& part : text.split(QLatin1Char(','), Qt::SkipEmptyParts))
        shares.push_back(part.toFloat());
    return shares;
}

}  // namespace

PlacementEditor::PlacementEditor(Document& document, const Theme& theme, QWidget* parent)
    : QGroupBox(parent), document_(document), count_job_(tr("Counting matches")) {
    setTitle(tr("Weight placement"));
    make_fields();
    make_rules();
    connect_fields();
    const auto colour = [this, &theme] { model_.set_muted_colour(theme.colours().faint); };
    connect(&theme, &Theme::changed, this, colour);
    colour();
    connect(&count_job_, &JobChannel::failed, this, [this](const JobFailure& failure) {
        model_.set_problem(failure.text);
        show_problem(failure.text);
    });
    connect(&document, &Document::session_changed, this, &PlacementEditor::show_session);
    connect(&document, &Document::analysis_changed, this, &PlacementEditor::show_notes);
    show_session();
}

void PlacementEditor::make_fields() {
    layers_ = new QSlider(Qt::Horizontal);
    layers_->setAccessibleName(tr("Layers on the accelerators"));
    layers_->setToolTip(tr("Layers with weights on accelerators; the output layer counts as one"));
    layers_value_ = new QLabel;
    layers_value_->setMinimumWidth(
        layers_value_->fontMetrics().horizontalAdvance(QStringLiteral("000 / 000")));
    auto* layers_row = new QHBoxLayout;
    layers_row->addWidget(layers_, 1);
    layers_row->addWidget(layers_value_);
    split_mode_ = new QComboBox;
    split_mode_->addItem(tr("whole layers"), static_cast<int>(SplitMode::layer));
    split_mode_->addItem(tr("one device only"), static_cast<int>(SplitMode::none));
    split_mode_->setToolTip(tr("How weights are divided between several accelerators"));
    shares_ = new QLineEdit;
    shares_->setPlaceholderText(tr("by free memory; e.g. 3,1"));
    shares_->setToolTip(tr("Shares of the accelerators in their order, separated by commas"));
    shares_->setValidator(new QRegularExpressionValidator(
        QRegularExpression(QStringLiteral(R"(\s*(\d+(\.\d*)?(\s*,\s*\d+(\.\d*)?)*)?\s*)")), shares_));
    main_device_ = new QComboBox;
    for (QComboBox* box : {split_mode_, main_device_}) allow_shrinking(*box);
    main_device_->setToolTip(tr("The accelerator to use if only one is used"));
    cpu_experts_ = new QCheckBox(tr("all experts on the CPU"));
    cpu_experts_->setToolTip(
        tr("Experts are alternative parts of a mixture-of-experts model, of which each token uses a few: "
           "large, but rarely used"));
    expert_blocks_ = new QSpinBox;
    expert_blocks_->setRange(0, kMaxLayers);
    expert_blocks_->setKeyboardTracking(false);
    expert_blocks_->setSpecialValueText(tr("none"));
    expert_blocks_->setToolTip(tr("Number of leading layers whose experts stay on the CPU"));
    kv_offload_ = new QCheckBox(tr("KV cache on the devices of its layers"));
    kv_offload_->setToolTip(
        tr("The KV cache holds keys and values of all tokens so far. If disabled, it stays on the CPU"));
    memory_map_ = new QCheckBox(tr("map CPU weights"));
    memory_map_->setToolTip(tr("Map CPU weights from the file instead of copying them"));
    auto* form = new_form();
    form->addRow(tr("GPU layers"), layers_row);
    form->addRow(tr("Divide by"), split_mode_);
    form->addRow(tr("Shares"), shares_);
    form->addRow(tr("Main device"), main_device_);
    form->addRow(tr("CPU experts"), expert_blocks_);
    form->addRow(cpu_experts_);
    form->addRow(kv_offload_);
    form->addRow(memory_map_);
    auto* all = new QVBoxLayout(this);
    all->addLayout(form);
}

void PlacementEditor::make_rules() {
    rules_ = new QTableView;
    rules_->setModel(&model_);
    style_table(*rules_);
    rules_->verticalHeader()->show();
    rules_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                            QAbstractItemView::SelectedClicked);
    rules_->setAccessibleName(tr("Override rules, first match wins"));
    rules_->setItemDelegateForColumn(OverrideTableModel::kTarget, new TargetDelegate(document_, rules_));
    rules_->horizontalHeader()->setSectionResizeMode(OverrideTableModel::kPattern, QHeaderView::Stretch);
    rules_->horizontalHeader()->setSectionResizeMode(OverrideTableModel::kTarget,
                                                     QHeaderView::ResizeToContents);
    rules_->horizontalHeader()->setSectionResizeMode(OverrideTableModel::kMatches,
                                                     QHeaderView::ResizeToContents);
    rules_->setMinimumHeight(112);
    auto* title = new QLabel(tr("Override rules; the first match wins"));
    title->setProperty("role", "muted");
    title->setBuddy(rules_);
    title->setWordWrap(true);
    add_ = new QPushButton(tr("Add"));
    add_->setAccessibleName(tr("Add a rule"));
    add_->setToolTip(tr("Add a rule for the selected weights, else for all experts"));
    remove_ = new QPushButton(tr("Remove"));
    remove_->setAccessibleName(tr("Remove the rule"));
    up_ = new QPushButton(tr("Up"));
    up_->setAccessibleName(tr("Move the rule up"));
    down_ = new QPushButton(tr("Down"));
    down_->setAccessibleName(tr("Move the rule down"));
    auto* buttons = new QGridLayout;
    buttons->setSpacing(4);
    buttons->addWidget(add_, 0, 0);
    buttons->addWidget(remove_, 0, 1);
    buttons->addWidget(up_, 1, 0);
    buttons->addWidget(down_, 1, 1);
    problem_ = new QLabel;
    problem_->setProperty("role", "error");
    problem_->setWordWrap(true);
    problem_->hide();
    notes_ = new QLabel;
    notes_->setProperty("role", "muted");
    notes_->setWordWrap(true);
    auto* all = static_cast<QVBoxLayout*>(layout());
    all->addWidget(title);
    all->addWidget(rules_, 1);
    all->addWidget(problem_);
    all->addLayout(buttons);
    all->addWidget(notes_);
}

void PlacementEditor::connect_fields() {
    connect(layers_, &QSlider::valueChanged, this, [this](int value) {
        layers_value_->setText(QStringLiteral("%1 / %2").arg(value).arg(layers_->maximum()));
        edit(
            tr("GPU layers"), [value](ModelOptions& o) { o.gpu_layers = value; }, true);
    });
    connect(split_mode_, &QComboBox::currentIndexChanged, this, [this] {
        const auto mode = static_cast<SplitMode>(split_mode_->currentData().toInt());
        edit(tr("division"), [mode](ModelOptions& o) { o.split_mode = mode; });
    });
    connect(shares_, &QLineEdit::editingFinished, this, [this] {
        if (!was_edited(*shares_)) return;
        edit(tr("shares"),
             [shares = shares_in(shares_->text())](ModelOptions& o) { o.tensor_split = shares; });
    });
    connect(main_device_, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (index >= 0) edit(tr("main device"), [index](ModelOptions& o) { o.main_gpu = index; });
    });
    connect(cpu_experts_, &QCheckBox::toggled, this,
            [this](bool on) { edit(tr("experts"), [on](ModelOptions& o) { o.cpu_experts = on; }); });
    connect(expert_blocks_, &QSpinBox::valueChanged, this, [this](int value) {
        edit(
            tr("layers with CPU experts"),
            [value](ModelOptions& o) { o.cpu_expert_blocks = static_cast<std::uint32_t>(value); }, true);
    });
    connect(kv_offload_, &QCheckBox::toggled, this, [this](bool on) {
        edit(tr("place of the KV cache"), [on](ModelOptions& o) { o.kv_offload = on; });
    });
    connect(memory_map_, &QCheckBox::toggled, this, [this](bool on) {
        edit(tr("mapping of weights"), [on](ModelOptions& o) { o.memory_map = on; });
    });
    connect(add_, &QPushButton::clicked, this, &PlacementEditor::add_rule);
    connect(remove_, &QPushButton::clicked, this, &PlacementEditor::remove_rule);
    connect(up_, &QPushButton::clicked, this, [this] { move_rule(-1); });
    connect(down_, &QPushButton::clicked, this, [this] { move_rule(+1); });
    // Deferred, because the edit resets the model, which is not allowed inside setData().
    connect(
        &model_, &OverrideTableModel::rule_written, this,
        [this](int row, const OverrideRule& rule) {
            std::vector<OverrideRule> rules = document_.session().model_options.overrides;
            if (static_cast<std::size_t>(row) >= rules.size()) return;
            rules[static_cast<std::size_t>(row)] = rule;
            set_rules(tr("override rule"), std::move(rules));
        },
        Qt::QueuedConnection);
}

void PlacementEditor::edit(const QString& what, const std::function<void(ModelOptions&)>& change,
                           bool gradual) {
    if (!showing_) edit_options(document_, what, change, gradual);
}

void PlacementEditor::set_rules(const QString& what, std::vector<OverrideRule> rules) {
    edit(what, [&rules](ModelOptions& o) { o.overrides = std::move(rules); });
}

void PlacementEditor::add_rule() {
    if (!document_.has_session() || !isEnabled()) return;
    std::vector<OverrideRule> rules = document_.session().model_options.overrides;
    const Machine& machine = document_.session().machine;
    OverrideRule rule{"ffn_.*_exps", machine.buffer_types[machine.backends.back().buffer_type.index()].name,
                      "--override-tensor"};
    const auto& analysis = document_.own_analysis();
    const TensorId selected = document_.selection().tensor();
    if (analysis && !document_.viewing_other() && selected.valid() &&
        (*analysis->graph)[selected].op == Op::none) {
        rule.pattern = exactly((*analysis->graph)[selected].name);
    }
    const int row = static_cast<int>(rules.size());
    rules.push_back(std::move(rule));
    set_rules(tr("override rules: add"), std::move(rules));
    rules_->selectRow(row);
}

void PlacementEditor::remove_rule() {
    const int row = rules_->currentIndex().row();
    std::vector<OverrideRule> rules = document_.session().model_options.overrides;
    if (row < 0 || static_cast<std::size_t>(row) >= rules.size()) return;
    rules.erase(rules.begin() + row);
    set_rules(tr("override rules: remove"), std::move(rules));
}

void PlacementEditor::move_rule(int step) {
    const int row = rules_->currentIndex().row();
    std::vector<OverrideRule> rules = document_.session().model_options.overrides;
    const int to = row + step;
    const int count = static_cast<int>(rules.size());
    if (row < 0 || row >= count || to < 0 || to >= count) return;
    std::swap(rules[static_cast<std::size_t>(row)], rules[static_cast<std::size_t>(to)]);
    set_rules(tr("order of the override rules"), std::move(rules));
    rules_->selectRow(to);
}

void PlacementEditor::show_session() {
    const Session& session = document_.session();
    const bool model = document_.has_session() && session.file->model;
    setEnabled(model);
    if (!model) {
        model_.set_rules({}, 0);
        notes_->clear();
        show_problem({});
        return;
    }
    showing_ = true;
    const ModelOptions& options = session.model_options;
    const int accelerated = accelerated_layers(session);
    layers_->setRange(0, static_cast<int>(session.file->model->shape().layers) + 1);
    layers_->setValue(accelerated);
    layers_value_->setText(QStringLiteral("%1 / %2").arg(accelerated).arg(layers_->maximum()));
    show_split_mode(options.split_mode);
    main_device_->clear();
    const auto& backends = session.machine.backends;
    for (std::size_t b = 0; b + 1 < backends.size(); ++b)
        main_device_->addItem(device_label(session, BackendId(b)));
    main_device_->setCurrentIndex(options.main_gpu);
    const bool several = backends.size() > 2;
    split_mode_->setEnabled(several);
    shares_->setEnabled(several && options.split_mode != SplitMode::none);
    main_device_->setEnabled(several && options.split_mode != SplitMode::layer);
    show_for_editing(*shares_, shares_text(options.tensor_split));
    const Model& shown = *session.file->model;
    const bool experts = shown.file().find(shown.shape().architecture + ".expert_count") != nullptr;
    cpu_experts_->setEnabled(experts);
    expert_blocks_->setEnabled(experts && !options.cpu_experts);
    cpu_experts_->setChecked(options.cpu_experts);
    expert_blocks_->setValue(static_cast<int>(options.cpu_expert_blocks));
    kv_offload_->setChecked(options.kv_offload);
    memory_map_->setChecked(options.memory_map);
    const int row = rules_->currentIndex().row();
    model_.set_rules(placement_flags(session).overrides, options.overrides.size());
    if (row >= 0 && row < model_.rowCount()) rules_->selectRow(row);
    showing_ = false;
    count_matches();
}

void PlacementEditor::show_split_mode(SplitMode mode) {
    // Planned as whole layers, so it is shown only if a file or a command line specifies it.
    const int rows = split_mode_->findData(static_cast<int>(SplitMode::row));
    if (mode == SplitMode::row && rows < 0)
        split_mode_->addItem(tr("rows, planned as layers"), static_cast<int>(SplitMode::row));
    else if (mode != SplitMode::row && rows >= 0)
        split_mode_->removeItem(rows);
    split_mode_->setCurrentIndex(split_mode_->findData(static_cast<int>(mode)));
}

void PlacementEditor::show_notes() {
    const auto& analysis = document_.own_analysis();
    QStringList lines;
    if (analysis && analysis->layout) {
        for (const Message& note : analysis->notes) lines += message_text(note);
        const PipelineCheck& pipeline = analysis->layout->pipeline;
        if (!pipeline.reason.empty()) {
            lines += (pipeline.on ? tr("Pipelining is on: %1") : tr("Pipelining is off: %1"))
                         .arg(message_text(pipeline.reason));
        }
    }
    notes_->setText(lines.join(QLatin1Char('\n')));
}

void PlacementEditor::show_problem(const QString& text) {
    problem_->setText(text);
    problem_->setVisible(!text.isEmpty());
}

void PlacementEditor::count_matches() {
    if (model_.rowCount() == 0) {
        count_job_.cancel();
        show_problem({});
        return;
    }
    count_job_.start(
        [session = document_.session()](const JobContext& job) { return override_uses(session, job); },
        [this](std::vector<RuleUse> uses) {
            model_.set_uses(std::move(uses));
            show_problem({});
        });
}

}  // namespace splitscope::ui
