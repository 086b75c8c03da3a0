package tfrecord

import "fmt"

// A Framing is the format of the bytes around a payload in a file.
type Framing uint8

// The framings.
const (
	TFRecord Framing = iota // length, checksum of the length, payload, checksum of the payload
	OFRecord                // length, payload; the format of OneFlow
)

var framingNames = [...]string{TFRecord: "tfrecord", OFRecord: "ofrecord"}

// String returns "tfrecord" or "ofrecord".
func (f Framing) String() string {
	if int(f) < len(framingNames) {
		return framingNames[f]
	}
	return fmt.Sprintf("Framing(%d)", uint8(f))
}
