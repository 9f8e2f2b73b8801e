// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/autosave.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QUuid>
#include <algorithm>
#include <utility>

#include "engine/session/open_session.hpp"
#include "engine/support/file.hpp"
#include "engine/support/limits.hpp"

namespace splitscope::ui {
namespace {

QString lock_of(const QString& file) {
    return file + QStringLiteral(".lock");
}

/// Whether the instance that wrote the file has ended.
bool is_orphan(const QString& file) {
    QLockFile lock(lock_of(file));
    // A lock is never stale by age: an instance may be idle for days. Process ids identify dead instances.
    lock.setStaleLockTime(0);
    return lock.tryLock(0);
}

}  // namespace

Autosave::Autosave(Document& document, QString folder, QObject* parent, AutosavePace pace)
    : QObject(parent),
      document_(document),
      folder_(std::move(folder)),
      pace_(pace),
      own_(QStringLiteral("%1/%2-%3.splitscope.json")
               .arg(folder_)
               .arg(QCoreApplication::applicationPid())
               .arg(QUuid::createUuid().toString(QUuid::Id128))),
      job_(tr("Autosaving")) {
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &Autosave::write_now);
    connect(&document, &Document::session_changed, this, &Autosave::changed);
    connect(&document, &Document::notes_changed, this, &Autosave::changed);
    connect(&document, &Document::breakpoints_changed, this, &Autosave::changed);
    connect(&document, &Document::modified_changed, this, &Autosave::changed);
    connect(&document, &Document::opened, this, [this] {
        // Of the previous document.
        forget();
        changed();
    });
    connect(&job_, &JobChannel::failed, this, [this](const JobFailure& failure) { failed(failure.text); });
    connect(&job_, &JobChannel::ended, this, &Autosave::writing_ended);
}

void Autosave::OwnFile::remove() {
    QFile::remove(path);
    lock.reset();
}

void Autosave::set_enabled(bool enabled) {
    enabled_ = enabled;
    if (!enabled) forget();
}

void Autosave::changed() {
    if (!enabled_) return;
    if (!document_.modified()) {
        forget();
        return;
    }
    if (!waiting_.isValid()) waiting_.start();
    const qint64 left = pace_.longest - waiting_.elapsed();
    timer_.start(static_cast<int>(std::clamp<qint64>(left, 0, pace_.quiet)));
}

bool Autosave::claim_file() {
    if (QDir().mkpath(folder_)) {
        QFile::setPermissions(folder_, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        own_.lock = std::make_unique<QLockFile>(lock_of(own_.path));
        own_.lock->setStaleLockTime(0);
        if (own_.lock->tryLock(0)) return true;
        own_.lock.reset();
    }
    return false;
}

void Autosave::write_now() {
    timer_.stop();
    if (!document_.has_session() || !document_.modified()) return;
    // Of two concurrent writes, the older state could land last.
    if (job_.running()) {
        due_ = true;
        return;
    }
    waiting_.invalidate();
    if (!own_.lock && !claim_file()) {
        failed(tr("Changes are not autosaved: cannot create or write the folder %1 — check its permissions")
                   .arg(folder_));
        return;
    }
    job_.start(
        [state = document_.saved_state(), file = own_.path.toStdString(),
         folder = folder_.toStdString()](const JobContext& job) {
            const std::string text = write_session_json(state, folder);
            job.check();
            write_file_atomically(file, text, NewFile::owner_only);
            return 0;
        },
        [this](int) { written(); });
}

void Autosave::written() {
    if (unwanted_) return;
    emit saved();
    end_problem();
}

void Autosave::failed(const QString& why) {
    if (unwanted_) return;
    if (why != std::exchange(problem_, why)) emit save_failed(why);
    if (!timer_.isActive()) timer_.start(pace_.retry);
}

void Autosave::end_problem() {
    if (!problem_.isEmpty()) emit problem_cleared(std::exchange(problem_, {}));
}

void Autosave::writing_ended() {
    if (std::exchange(unwanted_, false)) own_.remove();
    if (std::exchange(due_, false)) write_now();
}

void Autosave::forget() {
    timer_.stop();
    waiting_.invalidate();
    due_ = false;
    end_problem();
    if (job_.running()) {
        // It may be about to rename its file.
        unwanted_ = true;
        job_.stop();
    } else {
        own_.remove();
    }
}

void Autosave::discard(const QString& file) {
    QFile::remove(file);
    QFile::remove(lock_of(file));
}

std::vector<Autosave::Found> Autosave::find_leftovers() {
    std::vector<Found> found;
    damaged_.clear();
    const QDir folder(folder_);
    const auto files = folder.entryInfoList({QStringLiteral("*.splitscope.json")}, QDir::Files, QDir::Time);
    for (const QFileInfo& info : files) {
        const QString path = info.absoluteFilePath();
        if (path == QFileInfo(own_.path).absoluteFilePath() || !is_orphan(path)) continue;
        QFile file(path);
        const bool readable = info.size() <= qint64{kMaxSessionBytes} && file.open(QIODevice::ReadOnly);
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
