// SPDX-License-Identifier: MIT
#include "backends/blas/blas_device.hpp"

#include <cblas.h>

#include "backends/blas/blas_backend.hpp"
#include "backends/blas/blas_support.hpp"

namespace splitscope {

std::string BlasDevice::description() const {
    return openblas_get_config();
}

OpSupport BlasDevice::supports_op(const OpQuery& query) const {
    if (const OpSupport refused = blas_supports(query); !refused) return refused;
    return reads_sources(query);
}

std::unique_ptr<Backend> BlasDevice::new_backend() {
    return std::make_unique<BlasBackend>(*this);
}

}  // namespace splitscope
