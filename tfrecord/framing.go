package tfrecord

import "fmt"

// A Framing is the format of the bytes around a payload in a file.
type Framing uint8

// The framings.
const (
	TFRecord    Framing = iota // length, checksum of the length, payload, checksum of the payload
	OFRecord                   // length, payload; the format of OneFlow
	ArrayRecord                // chunks that depend on their offset in the file; for package arrayrecord
)

var framingNames = [...]string{TFRecord: "tfrecord", OFRecord: "ofrecord", ArrayRecord: "array_record"}

// String returns "tfrecord", "ofrecord", or "array_record".
func (f Framing) String() string {
	if int(f) < len(framingNames) {
		return framingNames[f]
	}
	return fmt.Sprintf("Framing(%d)", uint8(f))
}

// ParseFraming returns the Framing whose String is name. It returns an error for array_record,
// which this package does not frame.
func ParseFraming(name string) (Framing, error) {
	for f, n := range framingNames[:ArrayRecord] {
		if n == name {
			return Framing(f), nil
		}
	}
	return TFRecord, fmt.Errorf("unknown format %q; expected tfrecord or ofrecord", name)
}
