package framing

import (
	"errors"
	"io"

	"tfr-build/message"
)

var bare = Format{
	Name: "bare", Title: "bare message", Files: "a bare message",
	HasChecksums: false,
	Compressions: []string{"none"},
	Writing: Writing{
		NewWriter: func(w io.Writer, _ string) (Writer, error) { return &bareWriter{w: w}, nil },
		IsSingle:  true,
	},
}

var errSecond = errors.New("framing: a second message for a bare file")

// A bareWriter writes the only message of a file.
type bareWriter struct {
	w         io.Writer
	isWritten bool
}

// Write writes the message.
func (b *bareWriter) Write(payload []byte) error {
	if b.isWritten {
		return errSecond
	}
	b.isWritten = true
	_, err := b.w.Write(payload)
	return err
}

// Close does nothing: a bare file has no end mark.
func (b *bareWriter) Close() error { return nil }

// BareMessage returns the kind of the message that a file consists of; None if it is not one message.
func BareMessage(file []byte) message.Kind {
	if kind := message.KindOf(file); kind != message.None {
		return kind
	}
	for _, f := range All() {
		if f.Message != message.None && message.Is(f.Message, file) {
			return f.Message
		}
	}
	return message.None
}
