package input

import (
	"fmt"
	"math"

	"tfr-build/schema"
	"tfr-build/sources/files"
)

// ElementSize is the bytes of memory that an element of a list takes besides its text, and that it counts toward
// limits.record.
const ElementSize = 64

// RecordHint returns the config key that allows a record of size bytes. It is empty if no key
// does.
func RecordHint(size int64) string {
	const mib, most = 1 << 20, math.MaxInt32
	if up := (size + mib - 1) / mib; up*mib <= most {
		return fmt.Sprintf("limits: {record: %dMiB}", up)
	}
	return ""
}

// LongLine returns the error of a line that is longer than limit bytes.
func LongLine(limit int) *schema.RowError { return longer("line", limit) }

// LongElement returns the error of an element of a document that is longer than limit bytes.
func LongElement(limit int) *schema.RowError { return longer("element", limit) }

func longer(what string, limit int) *schema.RowError {
	return &schema.RowError{Code: "LIMIT_RECORD", At: limit,
		Message: fmt.Sprintf("the %s is longer than limits.record, %d bytes", what, limit),
		Hint:    RecordHint(2 * int64(limit))}
}

// LongFile returns the error of a row whose file has size bytes, more than limit.
func LongFile(size int64, limit int) *schema.RowError {
	return &schema.RowError{Code: "LIMIT_RECORD", At: -1,
		Message: fmt.Sprintf("%d bytes are more than limits.record, %d", size, limit), Hint: RecordHint(size)}
}

// LongRow returns the error of a row whose columns together have more than limit bytes.
func LongRow(limit int) *schema.RowError {
	return inMemory(2*int64(limit),
		fmt.Sprintf("the values take more than limits.record, %d bytes, of which an element of a list counts %d", limit,
			ElementSize))
}

// LongList returns the error of a row whose lists have n elements, more than limit bytes.
func LongList(n, limit int) *schema.RowError {
	size := int64(n) * ElementSize
	return inMemory(size, fmt.Sprintf("the lists of the row have %d elements, which take %d bytes of memory, %d each; "+
		"limits.record is %d", n, size, ElementSize, limit))
}

// LongMemory returns the error of a row whose lists take size bytes, more than limit.
func LongMemory(size int64, limit int) *schema.RowError {
	return inMemory(size, fmt.Sprintf("the lists of the row take %d bytes of memory, %d for each string or nested "+
		"list; limits.record is %d", size, ElementSize, limit))
}

func inMemory(size int64, message string) *schema.RowError {
	return &schema.RowError{Code: "LIMIT_RECORD", At: -1, Hint: RecordHint(size), Message: message}
}

// NotRegular returns the error of a row whose file is a pipe, a device, or a socket.
func NotRegular() *schema.RowError {
	return &schema.RowError{Code: "NOT_REGULAR", At: -1, Message: files.ErrNotRegular.Error()}
}
