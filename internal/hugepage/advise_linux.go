package hugepage

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// advise has the memory come in large pages, if there are some.
func advise(memory []byte) {
	_ = unix.Madvise(inside(memory, uintptr(unsafe.Pointer(unsafe.SliceData(memory)))), unix.MADV_HUGEPAGE)
}
