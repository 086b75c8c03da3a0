package hugepage

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"
)

// TestHugePagesAreRequested reads the hint from smaps.
func TestHugePagesAreRequested(t *testing.T) {
	if _, err := os.Stat("/sys/kernel/mm/transparent_hugepage"); err != nil {
		t.Skip("the system has no huge pages:", err)
	}
	large, small := Make[byte](8*Size), Make[byte](minBytes-1)
	whole := hugePages(large, address(large))
	for _, part := range [][]byte{whole[:1], whole[len(whole)-1:]} {
		if !advised(t, address(part)) {
			t.Error("a part of a large slice has small pages")
		}
	}
	if advised(t, address(small)) {
		t.Error("a small slice has huge pages")
	}
}

func address(memory []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(memory))) }

// advised reports whether huge pages were requested for an address: `hg` in smaps.
func advised(t *testing.T, at uintptr) bool {
	t.Helper()
	f, err := os.Open("/proc/self/smaps")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	inRange := false
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var from, to uintptr
		if n, _ := fmt.Sscanf(lines.Text(), "%x-%x ", &from, &to); n == 2 {
			inRange = from <= at && at < to
		}
		if flags, ok := strings.CutPrefix(lines.Text(), "VmFlags:"); ok && inRange {
			return strings.Contains(flags+" ", " hg ")
		}
	}
	t.Fatalf("no memory at %#x", at)
	return false
}
