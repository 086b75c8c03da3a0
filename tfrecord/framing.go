package tfrecord

import "fmt"

// A Framing is what stands around a payload in a file.
type Framing uint8

// The framings.
const (
	TFRecord Framing = iota // length, checksum of the length, payload, checksum of the payload
	OFRecord                // length, payload: that of OneFlow
)

var framingNames = [...]string{TFRecord: "tfrecord", OFRecord: "ofrecord"}

// String returns "tfrecord" or "ofrecord".
func (f Framing) String() string {
	if int(f) < len(framingNames) {
		return framingNames[f]
	}
	return fmt.Sprintf("Framing(%d)", uint8(f))
}

// ParseFraming returns the Framing that String calls name.
func ParseFraming(name string) (Framing, error) {
	for f, n := range framingNames {
		if n == name {
			return Framing(f), nil
		}
	}
	return TFRecord, fmt.Errorf("unknown format %q; expected tfrecord or ofrecord", name)
}
