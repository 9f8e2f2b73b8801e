// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings.hpp"

#include <QFile>
#include <QFileInfo>
#include <QLockFile>
#include <QStandardPaths>
#include <algorithm>

#include "engine/support/error.hpp"
#include "ui/models/qt_text.hpp"

namespace splitscope::ui {
namespace {

constexpr int kMaxRecent = 10;
constexpr int kMaxLayoutLength = 600;

}  // namespace

Settings::Settings(const QString& file) : file_(file) {
    open(file);
    if (store_->status() != QSettings::FormatError) return;
    const QString damaged = store_->fileName();
    const QString aside = damaged + QStringLiteral(".damaged");
    store_.reset();
    QFile::remove(aside);
    if (QFile::rename(damaged, aside)) set_aside_ = aside;
    open(file);
}

void Settings::open(const QString& file) {
    store_ = file.isEmpty()
                 ? std::make_unique<QSettings>(QStringLiteral("Splitscope"), QStringLiteral("Splitscope"))
                 : std::make_unique<QSettings>(file, QSettings::IniFormat);
    store_->sync();
}

QString Settings::data_folder() const {
    return file_.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)
                           : QFileInfo(file_).absolutePath();
}

QStringList Settings::recent_files() const {
    return store_->value(QStringLiteral("recent")).toStringList();
}

void Settings::add_recent_file(const QString& path) {
    // Another instance may have added files, or be about to.
    QLockFile lock(store_->fileName() + QStringLiteral(".recent.lock"));
    constexpr int kLockTimeoutMs = 500;
    lock.tryLock(kLockTimeoutMs);
    store_->sync();
    QStringList files = recent_files();
    files.removeAll(path);
    files.prepend(path);
    while (files.size() > kMaxRecent) files.removeLast();
    store_->setValue(QStringLiteral("recent"), files);
    store_->sync();
}

void Settings::clear_recent_files() {
    store_->remove(QStringLiteral("recent"));
}

std::vector<RecentProgram> Settings::recent_programs() const {
    std::vector<RecentProgram> programs;
    for (const QVariant& entry : store_->value(QStringLiteral("programs")).toList()) {
        const QStringList fields = entry.toStringList();
        if (fields.size() == 3 && !fields[0].isEmpty()) programs.push_back({fields[0], fields[1], fields[2]});
    }
    return programs;
}

void Settings::add_recent_program(const RecentProgram& program) {
    constexpr std::size_t kMaxPrograms = 12;
    store_->sync();
    std::vector<RecentProgram> programs = recent_programs();
    std::erase_if(programs, [&](const RecentProgram& known) { return known.command == program.command; });
    programs.insert(programs.begin(), program);
    if (programs.size() > kMaxPrograms) programs.resize(kMaxPrograms);
    QVariantList entries;
    for (const RecentProgram& known : programs)
        entries.push_back(QStringList{known.command, known.folder, known.environment});
    store_->setValue(QStringLiteral("programs"), entries);
}

ThemeMode Settings::theme() const {
    const QString name = store_->value(QStringLiteral("theme")).toString();
    if (name == QStringLiteral("dark")) return ThemeMode::dark;
    return name == QStringLiteral("light") ? ThemeMode::light : ThemeMode::system;
}

void Settings::set_theme(ThemeMode mode) {
    store_->setValue(QStringLiteral("theme"), mode == ThemeMode::dark    ? QStringLiteral("dark")
                                              : mode == ThemeMode::light ? QStringLiteral("light")
                                                                         : QStringLiteral("system"));
}

Language Settings::language() const {
    const QString name = store_->value(QStringLiteral("language")).toString();
    if (name == QStringLiteral("en")) return Language::english;
    return name == QStringLiteral("zh_CN") ? Language::chinese : Language::system;
}

void Settings::set_language(Language language) {
    store_->setValue(QStringLiteral("language"), language == Language::english   ? QStringLiteral("en")
                                                 : language == Language::chinese ? QStringLiteral("zh_CN")
                                                                                 : QStringLiteral("system"));
}

std::optional<Generation> Settings::generation() const {
    return generation_named(store_->value(QStringLiteral("generation")).toString().toStdString());
}

void Settings::set_generation(std::optional<Generation> generation) {
    store_->setValue(QStringLiteral("generation"), generation ? to_text(name_of(*generation)) : QString());
}

Program Settings::program() const {
    return program_named(store_->value(QStringLiteral("program")).toString().toStdString())
        .value_or(Program::llama_server);
}

void Settings::set_program(Program program) {
    store_->setValue(QStringLiteral("program"), to_text(name_of(program)));
}

std::optional<KnownMachine> Settings::machine() const {
    const std::string text = store_->value(QStringLiteral("machine")).toString().toStdString();
    if (text.empty()) return std::nullopt;
    try {
        return parse_known_machine(text, "machine");
    } catch (const Error&) {
        // Treated as absent.
        return std::nullopt;
    }
}

void Settings::set_machine(const std::optional<KnownMachine>& machine) {
    if (machine)
        store_->setValue(QStringLiteral("machine"), to_text(write_known_machine(*machine)));
    else
        store_->remove(QStringLiteral("machine"));
}

StartWith Settings::start_with() const {
    const QString name = store_->value(QStringLiteral("start")).toString();
    if (name == QStringLiteral("last")) return StartWith::last_file;
    return name == QStringLiteral("nothing") ? StartWith::nothing : StartWith::sample;
}

void Settings::set_start_with(StartWith start) {
    store_->setValue(QStringLiteral("start"), start == StartWith::last_file ? QStringLiteral("last")
                                              : start == StartWith::nothing ? QStringLiteral("nothing")
                                                                            : QStringLiteral("sample"));
}

CanvasOptions Settings::canvas() const {
    CanvasOptions options;
    options.graphviz = store_->value(QStringLiteral("canvas/graphviz"), true).toBool();
    options.graphviz_seconds =
        std::clamp(store_->value(QStringLiteral("canvas/graphviz-seconds"), options.graphviz_seconds).toInt(),
                   1, kMaxLayoutLength);
    options.minimap = store_->value(QStringLiteral("canvas/minimap"), true).toBool();
    return options;
}

void Settings::set_canvas(const CanvasOptions& options) {
    store_->setValue(QStringLiteral("canvas/graphviz"), options.graphviz);
    store_->setValue(QStringLiteral("canvas/graphviz-seconds"), options.graphviz_seconds);
    store_->setValue(QStringLiteral("canvas/minimap"), options.minimap);
}

bool Settings::confirm_before_discard() const {
    return store_->value(QStringLiteral("ask-before-losing"), true).toBool();
}
void Settings::set_confirm_before_discard(bool ask) {
    store_->setValue(QStringLiteral("ask-before-losing"), ask);
}

bool Settings::autosave() const {
    return store_->value(QStringLiteral("autosave"), true).toBool();
}
void Settings::set_autosave(bool on) {
    store_->setValue(QStringLiteral("autosave"), on);
}

bool Settings::tour_done() const {
    return store_->value(QStringLiteral("tour-done"), false).toBool();
}
void Settings::set_tour_done(bool done) {
    store_->setValue(QStringLiteral("tour-done"), done);
}

QByteArray Settings::window_geometry() const {
    return store_->value(QStringLiteral("window/geometry")).toByteArray();
}
QByteArray Settings::window_state() const {
    return store_->value(QStringLiteral("window/state")).toByteArray();
}

void Settings::set_window(const QByteArray& geometry, const QByteArray& state) {
    store_->setValue(QStringLiteral("window/geometry"), geometry);
    store_->setValue(QStringLiteral("window/state"), state);
}

QString Settings::last_folder() const {
    return store_->value(QStringLiteral("folder")).toString();
}
void Settings::set_last_folder(const QString& folder) {
    store_->setValue(QStringLiteral("folder"), folder);
}

QString Settings::report_format() const {
    return store_->value(QStringLiteral("report/format"), QStringLiteral("html")).toString();
}
QStringList Settings::report_hidden_sections() const {
    return store_->value(QStringLiteral("report/hidden")).toStringList();
}
void Settings::set_report(const QString& format, const QStringList& hidden_sections) {
    store_->setValue(QStringLiteral("report/format"), format);
    store_->setValue(QStringLiteral("report/hidden"), hidden_sections);
}

}  // namespace splitscope::ui
