// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/autosave.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUuid>
#include <utility>

#include "engine/session/open_session.hpp"
#include "engine/support/file.hpp"

namespace splitscope::ui {
namespace {

/// A burst of edits, like dragging a slider, is written once.
constexpr int kQuietMs = 1500;
constexpr qint64 kLargest = qint64{64} << 20;

QString lock_of(const QString& file) {
    return file + QStringLiteral(".lock");
}

/// True when the instance that wrote the file is gone.
bool is_orphan(const QString& file) {
    QLockFile lock(lock_of(file));
    // Age says nothing: an instance may idle for days. A dead process is recognised by its number.
    lock.setStaleLockTime(0);
    return lock.tryLock(0);
}

}  // namespace

Autosave::Autosave(Document& document, QString folder, QObject* parent)
    : QObject(parent),
      document_(document),
      folder_(std::move(folder)),
      file_(QStringLiteral("%1/%2-%3.splitscope.json")
                .arg(folder_)
                .arg(QCoreApplication::applicationPid())
                .arg(QUuid::createUuid().toString(QUuid::Id128))),
      job_(tr("Keeping changes")) {
    timer_.setSingleShot(true);
    timer_.setInterval(kQuietMs);
    connect(&timer_, &QTimer::timeout, this, &Autosave::write_now);
    connect(&document, &Document::session_changed, this, &Autosave::changed);
    connect(&document, &Document::notes_changed, this, &Autosave::changed);
    connect(&document, &Document::breakpoints_changed, this, &Autosave::changed);
    connect(&document, &Document::modified_changed, this, &Autosave::changed);
}

Autosave::~Autosave() {
    forget();
}

void Autosave::set_enabled(bool enabled) {
    enabled_ = enabled;
    if (!enabled) forget();
}

void Autosave::changed() {
    if (!enabled_) return;
    if (document_.modified()) {
        timer_.start();
    } else {
        forget();
    }
}

bool Autosave::claim_file() {
    if (QDir().mkpath(folder_)) {
        QFile::setPermissions(folder_, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        lock_ = std::make_unique<QLockFile>(lock_of(file_));
        lock_->setStaleLockTime(0);
        if (lock_->tryLock(0)) {
            refusal_told_ = false;
            return true;
        }
        lock_.reset();
    }
    if (!std::exchange(refusal_told_, true)) {
        emit not_kept(tr("Changes are not kept: the folder %1 cannot be made or written to — check its "
                         "permissions")
                          .arg(folder_));
    }
    return false;
}

void Autosave::write_now() {
    timer_.stop();
    if (!document_.has_session() || !document_.modified()) return;
    if (!lock_ && !claim_file()) return;
    job_.start(
        [state = document_.saved_state(), file = file_.toStdString(),
         folder = folder_.toStdString()](const JobContext& job) {
            const std::string text = write_session_json(state, folder);
            job.check();
            write_file_atomically(file, text, NewFile::owner_only);
            return 0;
        },
        [this](int) {
            emit kept();
            // Saved or undone while it was being written.
            if (!document_.modified()) forget();
        });
}

void Autosave::forget() {
    timer_.stop();
    job_.cancel();
    QFile::remove(file_);
    lock_.reset();
}

void Autosave::discard(const QString& file) {
    QFile::remove(file);
    QFile::remove(lock_of(file));
}

std::vector<Autosave::Found> Autosave::left_behind() {
    std::vector<Found> found;
    damaged_.clear();
    const QDir folder(folder_);
    const auto files = folder.entryInfoList({QStringLiteral("*.splitscope.json")}, QDir::Files, QDir::Time);
    for (const QFileInfo& info : files) {
        const QString path = info.absoluteFilePath();
        if (path == QFileInfo(file_).absoluteFilePath() || !is_orphan(path)) continue;
        QFile file(path);
        const bool readable = info.size() <= kLargest && file.open(QIODevice::ReadOnly);
        const QByteArray text = readable ? file.readAll() : QByteArray();
        const QJsonObject json = QJsonDocument::fromJson(text).object();
        if (json[QLatin1String("format")].toString() != QStringLiteral("splitscope-session")) {
            const QString aside = path + QStringLiteral(".damaged");
            QFile::remove(aside);
            file.rename(aside);
            damaged_ += aside;
            continue;
        }
        found.push_back(
            {path, QFileInfo(json[QLatin1String("file")].toString()).fileName(), info.lastModified()});
    }
    return found;
}

}  // namespace splitscope::ui
