// SPDX-License-Identifier: GPL-3.0-or-later
// For builds with ThreadSanitizer. Qt is not built with it, so the sanitizer does not see that posting an
// event happens before its handling. The two ways in which Splitscope passes work between threads through Qt
// are announced here; any other is reported.
#if defined(__SANITIZE_THREAD__)

#include <QMetaObject>
#include <QThreadPool>
#include <memory>

#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>

namespace {

/// The function of this name that this program hides.
template <class Function>
Function hidden(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

/// Calls a slot after telling the sanitizer that it was posted before.
class PostedSlot : public QtPrivate::QSlotObjectBase {
 public:
    explicit PostedSlot(QtPrivate::QSlotObjectBase* posted) : QSlotObjectBase(&run), posted_(posted) {
        __tsan_release(this);
    }

 private:
    static void run(int which, QSlotObjectBase* self, QObject* receiver, void** arguments, bool* result) {
        auto* slot = static_cast<PostedSlot*>(self);
        __tsan_acquire(slot);
        if (which == Call) slot->posted_->call(receiver, arguments);
        if (which == Compare) *result = slot->posted_->compare(arguments);
        if (which != Destroy) return;
        slot->posted_->destroyIfLastRef();
        delete slot;
    }

    QtPrivate::QSlotObjectBase* posted_;
};

}  // namespace

bool QMetaObject::invokeMethodImpl(QObject* object, QtPrivate::QSlotObjectBase* slot, Qt::ConnectionType type,
                                   void* result) {
    using Function = bool (*)(QObject*, QtPrivate::QSlotObjectBase*, Qt::ConnectionType, void*);
    static const auto invoke = hidden<Function>(
        "_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv");
    return invoke(object, new PostedSlot(slot), type, result);
}

void QThreadPool::start(std::function<void()> work, int priority) {
    using Function = void (*)(QThreadPool*, std::function<void()>, int);
    static const auto begin = hidden<Function>("_ZN11QThreadPool5startESt8functionIFvvEEi");
    const auto posted = std::make_shared<std::function<void()>>(std::move(work));
    __tsan_release(posted.get());
    begin(
        this,
        [posted] {
            __tsan_acquire(posted.get());
            (*posted)();
            *posted = nullptr;
        },
        priority);
}

#endif
