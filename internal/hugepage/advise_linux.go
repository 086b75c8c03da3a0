package hugepage

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// advise requests huge pages for the memory.
func advise(memory []byte) {
	_ = unix.Madvise(hugePages(memory, uintptr(unsafe.Pointer(unsafe.SliceData(memory)))), unix.MADV_HUGEPAGE)
}
