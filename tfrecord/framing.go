package tfrecord

import "fmt"

// A Framing is what stands around a payload in a file.
type Framing uint8

// The framings.
const (
	TFRecord    Framing = iota // length, checksum of the length, payload, checksum of the payload
	OFRecord                   // length, payload: that of OneFlow
	ArrayRecord                // chunks, whose place in the file counts: package arrayrecord reads and writes them, not this one
)

var framingNames = [...]string{TFRecord: "tfrecord", OFRecord: "ofrecord", ArrayRecord: "array_record"}

// String returns "tfrecord", "ofrecord" or "array_record".
func (f Framing) String() string {
	if int(f) < len(framingNames) {
		return framingNames[f]
	}
	return fmt.Sprintf("Framing(%d)", uint8(f))
}

// ParseFraming returns the Framing that String calls name, if this package frames
// so.
func ParseFraming(name string) (Framing, error) {
	for f, n := range framingNames[:ArrayRecord] {
		if n == name {
			return Framing(f), nil
		}
	}
	return TFRecord, fmt.Errorf("unknown format %q; expected tfrecord or ofrecord", name)
}
