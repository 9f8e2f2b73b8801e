// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/tensor_panel.hpp"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>
#include <utility>

#include "engine/session/capture_node.hpp"
#include "engine/support/file.hpp"
#include "engine/tensor/shape.hpp"
#include "ui/models/device_label.hpp"
#include "ui/models/machine_edit.hpp"
#include "ui/models/messages.hpp"
#include "ui/models/qt_text.hpp"
#include "ui/models/tensor_facts.hpp"
#include "ui/panels/panel_parts.hpp"
#include "ui/panels/table_style.hpp"

namespace splitscope::ui {
namespace {

/// Larger tensors are not copied out of a run.
constexpr std::uint64_t kMaxBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t kMaxEdited = std::uint64_t{64} << 20;
constexpr std::size_t kMaxDifferences = 500;
constexpr int kMaxCopied = 200'000;
/// Header capacity worth keeping, in rows and columns.
constexpr int kShortHeaders = 20'000;

enum Page : int { kValues, kReferenceValues, kDifferenceValues, kLargest };

/// The machine with one of its backends and the CPU.
Machine with_only(Machine machine, std::size_t kept) {
    for (std::size_t b = machine.backends.size() - 1; b-- > 0;) {
        if (b != kept) machine = without_backend(std::move(machine), b);
    }
    machine.assignments.clear();
    return machine;
}

}  // namespace

TensorPanel::TensorPanel(const PanelContext& context)
    : document_(context.document),
      control_(context.run),
      theme_(context.theme),
      read_job_(tr("Reading values")),
      slice_job_(tr("Drawing the heat map")),
      compare_job_(tr("Comparing values")),
      save_job_(tr("Saving values")) {
    message_ = muted_label();
    message_->setTextFormat(Qt::RichText);
    message_->setAlignment(Qt::AlignCenter);
    message_->setWordWrap(true);
    message_->setMargin(24);
    facts_ = new QLabel;
    facts_->setTextFormat(Qt::RichText);
    facts_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    facts_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    facts_->setWordWrap(true);
    facts_->setMargin(8);
    auto* scroll = new QScrollArea;
    scroll->setWidget(facts_);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setMinimumWidth(164);
    facts_->setToolTip(tr("For all values. Deviation: standard deviation; NaN: not a number"));

    table_ = new QTableView;
    table_->setModel(&model_);
    style_values();
    connect(&model_, &QAbstractItemModel::modelReset, this,
            [this] { headers_are_long_ |= model_.rowCount() + model_.columnCount() > kShortHeaders; });
    table_->setAccessibleName(tr("Values"));
    table_->installEventFilter(this);
    largest_ = new QTableView;
    largest_->setModel(&differences_);
    style_table(*largest_);
    largest_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    largest_->setAccessibleName(tr("Elements that differ most"));
    tables_ = new QStackedWidget;
    tables_->addWidget(table_);
    tables_->addWidget(largest_);

    auto* middle = new QWidget;
    auto* column = new QVBoxLayout(middle);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(2);
    column->addWidget(make_slice_bar());
    column->addWidget(make_compare_bar());
    column->addWidget(tables_, 1);
    auto* splitter = new QSplitter;
    splitter->addWidget(scroll);
    splitter->addWidget(middle);
    pictures_ = new ValuePictures(theme_);
    splitter->addWidget(pictures_);
    splitter->setStretchFactor(0, 0);
    splitter->setStretchFactor(1, 1);
    splitter->setStretchFactor(2, 0);
    splitter->setSizes({200, 560, 230});
    splitter->setChildrenCollapsible(true);
    pages_ = new QStackedWidget;
    pages_->addWidget(message_);
    pages_->addWidget(splitter);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(pages_);

    connect(&document_.selection(), &Selection::tensor_changed, this, &TensorPanel::refresh);
    connect(&document_, &Document::opened, this, [this] { kept_.clear(); });
    connect(&document_, &Document::analysis_changed, this, &TensorPanel::refresh);
    connect(&control_, &RunControl::state_changed, this, [this] {
        if (control_.state() == RunState::paused) refresh();
        show_editable();
        if (pages_->currentIndex() == 0) refresh();
    });
    connect(&control_, &RunControl::values_edited, this, &TensorPanel::refresh);
    connect(&control_, &RunControl::refused, this,
            [this](const QString& reason) { difference_->setText(reason); });
    connect(&model_, &TensorTable::value_entered, this, &TensorPanel::enter);
    connect(&pictures_->map(), &HeatMapView::clicked, this, [this](std::int64_t row, std::int64_t column_) {
        reveal(element_of(model_.slice(), row, column_));
    });
    connect(largest_, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
        shows_->setCurrentIndex(kDifferenceValues);
        reveal(differences_.element(index.row()));
    });
    connect(&read_job_, &JobChannel::failed, this, [this](const JobFailure& failure) {
        // The run continued before its values were read: new ones will follow.
        if (control_.state() == RunState::paused) show_message(failure.text.toHtmlEscaped());
    });
    connect(&compare_job_, &JobChannel::failed, this,
            [this](const JobFailure& failure) { clear_comparison(failure.text); });
    connect(&save_job_, &JobChannel::failed, this,
            [this](const JobFailure& failure) { difference_->setText(failure.text); });
    connect(&compare_job_, &JobChannel::progress, this,
            [this](double, const QString& doing) { difference_->setText(doing); });
    const auto colour = [this] {
        const Colours& colours = theme_.colours();
        model_.set_difference_colour(mix(colours.panel, colours.warning, colours.dark ? 0.25 : 0.3));
    };
    connect(&theme_, &Theme::changed, this, colour);
    colour();
    refresh();
}

void TensorPanel::add_actions(const PanelContext& context) {
    context.actions.add("run.inspect", ActionGroup::run, tr("&Inspect the tensor"),
                        tr("Show the values of the selected tensor"), keys({"F4"}), {},
                        [this, context] { emit context.links.panel_requested(this); });
}

QWidget* TensorPanel::make_slice_bar() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(6, 0, 6, 0);
    row->setSpacing(4);
    slice_bar_ = new SliceBar;
    row->addWidget(slice_bar_);
    connect(slice_bar_, &SliceBar::chosen, this, &TensorPanel::apply_slice);
    row->addStretch(1);
    format_ = new QComboBox;
    format_->addItem(tr("Shortest"), static_cast<int>(NumberFormat::shortest));
    format_->addItem(tr("Fixed point"), static_cast<int>(NumberFormat::fixed));
    format_->addItem(tr("Scientific"), static_cast<int>(NumberFormat::scientific));
    fit_contents(*format_);
    format_->setMinimumWidth(98);
    format_->setAccessibleName(tr("Number format"));
    format_->setToolTip(tr("How numbers are written"));
    digits_ = new QSpinBox;
    digits_->setRange(0, 9);
    digits_->setValue(5);
    digits_->setAccessibleName(tr("Digits"));
    digits_->setToolTip(tr("Digits of each number"));
    row->addWidget(format_);
    row->addWidget(digits_);
    const auto button = [this, row](const QString& icon, const QString& tip) {
        auto* made = new QToolButton;
        made->setAutoRaise(true);
        made->setToolTip(tip);
        made->setAccessibleName(tip);
        const auto paint = [made, icon, this] { made->setIcon(theme_.icon(icon)); };
        paint();
        connect(&theme_, &Theme::changed, made, paint);
        row->addWidget(made);
        return made;
    };
    undo_ = button(QStringLiteral("undo"), tr("Undo the last edit of a value (Ctrl+Z in the table)"));
    redo_ = button(QStringLiteral("redo"), tr("Redo the edit of a value (Ctrl+Shift+Z in the table)"));
    auto* save = button(QStringLiteral("report"), tr("Save the values as .npy or .csv"));
    undo_->setEnabled(false);
    redo_->setEnabled(false);
    const auto format = [this] {
        model_.set_format(static_cast<NumberFormat>(format_->currentData().toInt()), digits_->value());
        fit_cells();
    };
    connect(format_, &QComboBox::currentIndexChanged, this, format);
    connect(digits_, &QSpinBox::valueChanged, this, format);
    connect(undo_, &QToolButton::clicked, &control_.value_edits(), &QUndoStack::undo);
    connect(redo_, &QToolButton::clicked, &control_.value_edits(), &QUndoStack::redo);
    connect(&control_.value_edits(), &QUndoStack::canUndoChanged, undo_, &QWidget::setEnabled);
    connect(&control_.value_edits(), &QUndoStack::canRedoChanged, redo_, &QWidget::setEnabled);
    connect(save, &QToolButton::clicked, this, &TensorPanel::ask_save);
    return bar;
}

QWidget* TensorPanel::make_compare_bar() {
    shows_ = new QTabBar;
    shows_->setExpanding(false);
    shows_->addTab(tr("Values"));
    shows_->addTab(tr("Reference"));
    shows_->addTab(tr("Difference"));
    shows_->addTab(tr("Largest"));
    shows_->setUsesScrollButtons(true);
    shows_->setTabToolTip(kReferenceValues, tr("The tensor to compare with"));
    shows_->setTabToolTip(kDifferenceValues, tr("Values minus reference"));
    shows_->setTabToolTip(kLargest,
                          tr("Elements with the largest differences; double-click to show one in the table"));
    reference_ = new QComboBox;
    reference_->setAccessibleName(tr("Compare with"));
    reference_->setToolTip(
        tr("Source of the tensor to compare with. Other backends and the previous run are recomputed up to "
           "this node, with the same tokens"));
    fit_contents(*reference_);
    keep_ = new QPushButton(tr("Keep"));
    keep_->setToolTip(tr("Keep these values for later comparisons"));
    difference_ = muted_label();
    difference_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    difference_->setMinimumWidth(40);
    auto* bar = new QWidget;
    auto* column = new QVBoxLayout(bar);
    column->setContentsMargins(6, 0, 6, 0);
    column->setSpacing(1);
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    row->addWidget(shows_, 1);
    row->addWidget(reference_);
    row->addWidget(keep_);
    column->addLayout(row);
    column->addWidget(difference_);
    connect(shows_, &QTabBar::currentChanged, this, &TensorPanel::show_page);
    connect(reference_, &QComboBox::activated, this,
            [this](int index) { compare_with(reference_->itemData(index).toInt()); });
    connect(keep_, &QPushButton::clicked, this, &TensorPanel::keep);
    clear_comparison({});
    return bar;
}

void TensorPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (stale_) refresh();
}

void TensorPanel::refresh() {
    stale_ = !isVisible();
    if (stale_) return;
    const TensorIdentity tensor = document_.selected();
    const bool shown =
        model_.capture() && pages_->currentIndex() == 1 && model_.capture()->identity == tensor;
    if (control_.state() != RunState::paused || !control_.debuggee()) {
        // Keep the values until another tensor is selected.
        if (!shown) {
            show_message(
                !control_.can_run() && !control_.active()
                    ? tr("<h3>No values</h3>Open a complete model: values are available while it runs.")
                    : tr("<h3>No values yet</h3>Values are shown while a run is paused: press F7 to start a "
                         "run paused before its first node, set a breakpoint with F9, or pause a run with "
                         "F6."));
        }
        return;
    }
    if (tensor.empty()) {
        show_message(tr("<h3>No tensor selected</h3>Select a node or a weight in the graph or a table."));
        return;
    }
    computation_ = control_.at()->computation;
    read_job_.start(
        [debuggee = control_.debuggee(), tensor](const JobContext& job) {
            job.report(-1, msg::kReadingValues);
            Reading reading;
            reading.capture = std::make_shared<const TensorCapture>(debuggee->read(tensor, kMaxBytes, job));
            if (!reading.capture->bytes.empty() && can_show_values(reading.capture->tensor.type)) {
                reading.statistics = std::make_shared<const TensorStatistics>(
                    tensor_statistics(reading.capture->tensor, reading.capture->bytes, job));
            }
            return reading;
        },
        [this](Reading reading) { show_reading(std::move(reading)); });
}

void TensorPanel::style_values() {
    style_table(*table_);
    table_->setSelectionBehavior(QAbstractItemView::SelectItems);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    table_->verticalHeader()->show();
    table_->verticalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    table_->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    table_->horizontalHeader()->setDefaultSectionSize(cell_width_);
}

/// Column widths that show every number in the selected format.
void TensorPanel::fit_cells() {
    if (!statistics_) return;
    const auto format = static_cast<NumberFormat>(format_->currentData().toInt());
    int widest = 0;
    for (const float value : {statistics_->min, statistics_->max, -1.2345678e-8F, -0.00012345678F}) {
        // The example represents small values, which fixed point shows as zeros.
        const QString text = number_text(value, format, digits_->value());
        widest = std::max(widest, table_->fontMetrics().horizontalAdvance(text));
    }
    const int digits = table_->fontMetrics().horizontalAdvance(QString::number(model_.columnCount()));
    cell_width_ = std::max(widest, digits) + 18;
    table_->horizontalHeader()->setDefaultSectionSize(cell_width_);
}

void TensorPanel::renew_headers() {
    auto* rows = new QHeaderView(Qt::Vertical, table_);
    rows->setSectionsClickable(true);
    table_->setVerticalHeader(rows);
    // The table style replaces the header.
    style_values();
}

void TensorPanel::show_message(const QString& markup) {
    message_->setText(markup);
    pages_->setCurrentIndex(0);
    model_.set_capture(nullptr);
    if (std::exchange(headers_are_long_, false)) renew_headers();
    statistics_ = nullptr;
    clear_comparison({});
}

void TensorPanel::show_reading(Reading reading) {
    if (!reading.statistics) {
        const QString name = to_text(reading.capture->tensor.name).toHtmlEscaped();
        show_message(reading.capture->state == TensorState::no_memory
                         ? tr("<h3>No memory</h3>%1 is not allocated in this run.").arg(name)
                         : tr("<h3>No values to show</h3>Values of type %1 cannot be decoded.")
                               .arg(to_text(name_of(reading.capture->tensor.type)).toHtmlEscaped()));
        return;
    }
    const bool same_tensor = model_.capture() && model_.capture()->identity == reading.capture->identity;
    model_.set_capture(reading.capture);
    statistics_ = std::move(reading.statistics);
    pictures_->histogram().set_statistics(statistics_);
    model_.set_before_edits(control_.before_edits(reading.capture->identity));
    fit_cells();
    pages_->setCurrentIndex(1);
    show_slice();
    facts_->setText(
        tensor_facts(document_.session(), *model_.capture(), *statistics_, theme_.colours().error));
    show_references();
    show_editable();
    show_map();
    // New values invalidate the comparison; kept values are compared again immediately.
    const int reference = reference_->currentData().toInt();
    clear_comparison({});
    if (same_tensor && reference == kKept && kept_.find(reading.capture->identity)) {
        reference_->setCurrentIndex(reference_->findData(kKept));
        compare_with(kKept);
    }
}

void TensorPanel::show_slice() {
    slice_bar_->show_slice(model_.capture()->tensor, model_.slice());
}

void TensorPanel::apply_slice(const SliceChoice& slice) {
    if (!model_.capture()) return;
    if (slice != model_.slice()) {
        model_.set_slice(slice);
        show_map();
    }
    show_slice();
}

void TensorPanel::show_map() {
    const auto capture = model_.capture();
    const SliceChoice slice = model_.slice();
    slice_job_.start(
        [capture, slice](const JobContext& job) {
            const SliceTensor part = slice_of(capture->tensor, slice);
            const std::span<const std::byte> bytes(capture->bytes);
            return std::make_shared<const TensorStatistics>(
                tensor_statistics(part.tensor, bytes.subspan(std::min(part.offset, bytes.size())), job));
        },
        [this, slice](std::shared_ptr<const TensorStatistics> statistics) {
            if (!model_.capture() || slice != model_.slice()) return;
            const Tensor& t = model_.capture()->tensor;
            pictures_->map().set_map(std::move(statistics), t.ne[slice.row_axis], t.ne[slice.column_axis]);
        });
}

void TensorPanel::show_references() {
    const QVariant chosen = reference_->currentData();
    reference_->clear();
    reference_->addItem(tr("nothing"), kNothing);
    if (kept_.find(model_.capture()->identity)) reference_->addItem(tr("the kept values"), kKept);
    if (control_.previous_record()) reference_->addItem(tr("the previous run"), kPreviousRun);
    const auto& record = control_.record();
    if (record) {
        reference_->addItem(tr("the CPU alone"), kCpuAlone);
        const auto& backends = record->session.machine.backends;
        for (std::size_t b = 0; b + 1 < backends.size() && backends.size() > 2; ++b)
            reference_->addItem(tr("%1 with the CPU").arg(device_label(record->session, BackendId(b))),
                                kFirstBackend + static_cast<int>(b));
    }
    reference_->setCurrentIndex(std::max(0, reference_->findData(chosen)));
}

void TensorPanel::compare_with(int reference) {
    reference_->setCurrentIndex(std::max(0, reference_->findData(reference)));
    const auto capture = model_.capture();
    clear_comparison({});
    if (!capture || reference == kNothing) return;
    reference_->setCurrentIndex(std::max(0, reference_->findData(reference)));
    const bool previous = reference == kPreviousRun;
    const auto record = previous ? control_.previous_record() : control_.record();
    if (reference != kKept && !record) return;
    if (reference != kKept && (capture->backend.empty() || capture->state != TensorState::computed)) {
        clear_comparison(tr("Only nodes that have been computed can be compared with another run."));
        return;
    }
    const auto kept = reference == kKept ? kept_.find(capture->identity) : nullptr;
    RunRecord other = record ? *record : RunRecord{};
    if (record && !previous) {
        Machine& machine = other.session.machine;
        const std::size_t last = machine.backends.size() - 1;
        machine =
            with_only(std::move(machine),
                      reference == kCpuAlone ? last : static_cast<std::size_t>(reference - kFirstBackend));
        other.session.model_options.gpu_layers = GpuLayers::all();
    }
    difference_->setText(kept ? tr("Comparing …") : tr("Computing the other run up to this node …"));
    compare_job_.start(
        [capture, kept, other = std::move(other), computation = computation_](const JobContext& job) {
            Compared compared;
            compared.reference = kept;
            if (!kept) {
                RunOptions options = other.options;
                options.forced_tokens = other.tokens;
                compared.reference = std::make_shared<const TensorCapture>(
                    capture_node(other.session, std::move(options), computation, capture->identity, job));
            }
            const TensorCapture& b = *compared.reference;
            const auto d = compare_values(capture->tensor, capture->bytes, b.tensor, b.bytes, job);
            compared.nmse = d.nmse;
            compared.largest = d.largest;
            compared.largest_at = d.largest_at;
            compared.differing = d.differing;
            compared.count = d.count;
            compared.list =
                list_differences(capture->tensor, capture->bytes, b.tensor, b.bytes, kMaxDifferences, job);
            return compared;
        },
        [this, capture](const Compared& compared) {
            if (capture == model_.capture()) show_compared(compared);
        });
}

void TensorPanel::show_compared(const Compared& compared) {
    const Tensor& t = model_.capture()->tensor;
    model_.set_reference(compared.reference);
    const Compared& d = compared;
    if (d.differing == 0) {
        difference_->setText(
            tr("All %1 values are the same.").arg(count_text(static_cast<std::uint64_t>(d.count))));
    } else {
        difference_->setText(
            tr("NMSE %1 · largest difference %2 at %3 · first at %4 · %5 of %6 values differ")
                .arg(figure_text(d.nmse), figure_text(d.largest),
                     element_text(t, element_at(t, std::max<std::int64_t>(0, d.largest_at))),
                     element_text(t, element_at(t, compared.list.first)),
                     count_text(static_cast<std::uint64_t>(d.differing)),
                     count_text(static_cast<std::uint64_t>(d.count))));
    }
    difference_->setToolTip(
        tr("NMSE: normalised mean squared error, the sum of squared differences over the sum of squared "
           "reference values"));
    differences_.set_list(t, compared.list);
    for (const int page : {kReferenceValues, kDifferenceValues, kLargest}) shows_->setTabEnabled(page, true);
}

void TensorPanel::clear_comparison(const QString& text) {
    compare_job_.cancel();
    model_.set_reference(nullptr);
    differences_.set_list({}, {});
    difference_->setText(text);
    difference_->setToolTip({});
    reference_->setCurrentIndex(0);
    shows_->setCurrentIndex(kValues);
    for (const int page : {kReferenceValues, kDifferenceValues, kLargest}) shows_->setTabEnabled(page, false);
}

void TensorPanel::show_page() {
    const int page = shows_->currentIndex();
    if (page == kLargest) {
        tables_->setCurrentWidget(largest_);
        return;
    }
    tables_->setCurrentWidget(table_);
    model_.set_shows(page == kReferenceValues    ? TensorShows::reference
                     : page == kDifferenceValues ? TensorShows::difference
                                                 : TensorShows::values);
}

void TensorPanel::show_editable() {
    const auto& capture = model_.capture();
    const bool editable = capture && control_.state() == RunState::paused && control_.at() &&
                          capture->stop == control_.at()->number && can_edit_values(capture->tensor.type) &&
                          capture->bytes.size() <= kMaxEdited && capture->state != TensorState::not_computed;
    model_.set_editable(editable);
    keep_->setEnabled(capture != nullptr);
}

void TensorPanel::enter(const Shape& element, float value) {
    const auto capture = model_.capture();
    if (!capture) return;
    control_.edit_values(capture->identity,
                         [tensor = capture->tensor, element, value](std::vector<std::byte>& bytes) {
                             set_value(tensor, bytes, element, value);
                         });
}

void TensorPanel::keep() {
    if (!model_.capture()) return;
    kept_.keep(model_.capture());
    show_references();
    difference_->setText(tr("Kept. Choose “the kept values” to compare with them."));
}

void TensorPanel::reveal(const Shape& element) {
    SliceChoice slice = model_.slice();
    for (std::size_t d = 0; d < kMaxDims; ++d) {
        if (d != slice.row_axis && d != slice.column_axis) slice.index[d] = element[d];
    }
    apply_slice(slice);
    const QModelIndex cell = model_.cell_of(element);
    if (!cell.isValid()) return;
    table_->setCurrentIndex(cell);
    table_->scrollTo(cell, QAbstractItemView::PositionAtCenter);
}

void TensorPanel::copy() {
    QString text;
    int copied = 0;
    for (const QItemSelectionRange& range : table_->selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row) {
            for (int column = range.left(); column <= range.right(); ++column) {
                if (++copied > kMaxCopied) break;
                if (column > range.left()) text += QLatin1Char('\t');
                text += model_.index(row, column).data().toString();
            }
            text += QLatin1Char('\n');
        }
    }
    if (!text.isEmpty()) QApplication::clipboard()->setText(text);
}

bool TensorPanel::eventFilter(QObject* watched, QEvent* event) {
    const bool claims = event->type() == QEvent::ShortcutOverride;
    if (watched != table_ || (!claims && event->type() != QEvent::KeyPress))
        return QWidget::eventFilter(watched, event);
    auto* key = static_cast<QKeyEvent*>(event);
    const bool undo = key->matches(QKeySequence::Undo);
    const bool redo = key->matches(QKeySequence::Redo);
    if (!undo && !redo && !key->matches(QKeySequence::Copy)) return QWidget::eventFilter(watched, event);
    if (claims) {
        event->accept();
    } else if (undo) {
        control_.value_edits().undo();
    } else if (redo) {
        control_.value_edits().redo();
    } else {
        copy();
    }
    return true;
}

void TensorPanel::ask_save() {
    // The run or the selection may change during the file dialog.
    const auto capture = model_.capture();
    if (!capture) return;
    const QString path = QFileDialog::getSaveFileName(
        this, tr("Save values"), to_text(capture->tensor.name) + QStringLiteral(".npy"),
        tr("NumPy array (*.npy);;Comma-separated values (*.csv)"));
    if (!path.isEmpty()) save(path, capture);
}

void TensorPanel::save(const QString& path) {
    if (model_.capture()) save(path, model_.capture());
}

void TensorPanel::save(const QString& path, std::shared_ptr<const TensorCapture> capture) {
    save_job_.start(
        [capture = std::move(capture), opened = document_.session().file,
         file = path.toStdString()](const JobContext& job) {
            require_other_file(file, *opened);
            const bool npy = file.ends_with(".npy");
            write_file_atomically(file, npy ? values_as_npy(capture->tensor, capture->bytes, job)
                                            : values_as_csv(capture->tensor, capture->bytes, job));
            return file;
        },
        [](const std::string&) {});
}

}  // namespace splitscope::ui
