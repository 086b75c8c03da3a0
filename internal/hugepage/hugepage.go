// Package hugepage makes large slices whose memory comes in large pages, where the
// system has them. Memory that was got is not there until it is touched: the first
// write to each page of 4 KiB is a fault, which takes about a microsecond with its
// zeroing, and each page takes a place in the processor's small table of addresses.
//
//	4 KiB   ▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏▏   a fault each
//	2 MiB   │ head │     page     │     page     │ tail │
//
// It is for what is filled to its end and then read at random: of a large page all is
// there when a byte of it is. What it asks for is a hint, on Linux; elsewhere the
// slices are ordinary ones.
//
//	rows := hugepage.Make[byte](stride * n)
package hugepage

import "unsafe"

// Size is how many bytes a large page has on amd64, and mostly on arm64.
const Size = 2 << 20

// least is how many bytes are worth a call: wherever they begin, there is a large page
// among them.
const least = 2 * Size

// Make is make([]T, n), of a type without pointers.
func Make[T any](n int) []T {
	list := make([]T, n)
	if size := uintptr(n) * unsafe.Sizeof(*new(T)); size >= least {
		advise(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(list))), size))
	}
	return list
}

// inside cuts from memory at an address what is no whole large page.
func inside(memory []byte, at uintptr) []byte {
	head := -at & (Size - 1)
	whole := (uintptr(len(memory)) - head) &^ (Size - 1)
	return memory[head : head+whole]
}
