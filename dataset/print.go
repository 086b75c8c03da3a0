package dataset

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/internal/plural"
	"tfr-build/message"
	"tfr-build/schema"
)

// The limits of the output as text.
const (
	maxShownBytes  = 60   // of a value
	maxShownValues = 20   // of a list
	maxShownSteps  = 10   // of a feature list, or Examples of an ExampleListWithContext
	maxShownText   = 4096 // of a payload that is text
)

// A Form is an output format of records.
type Form uint8

// The output formats of records.
const (
	TextForm  Form = iota // a heading and one line per feature; long values and lists are truncated
	PlainForm             // a JSON object per line, in the format of [message.Message.WritePlain]
	ProtoForm             // a JSON object per line in protobuf's format, as [Write] reads it
)

// PrintRecord prints a payload as [Inspect] does, without a heading. record is its schema.
func PrintRecord(w io.Writer, record *schema.Record, payload []byte, form Form) error {
	out := bufio.NewWriter(w)
	s := printer{w: out, knownRecord: newKnownRecord(record), form: form}
	err := s.parse(payload)
	if err == nil {
		err = s.print(payload)
	}
	if flushErr := out.Flush(); err == nil {
		err = flushErr
	}
	return err
}

// A printer prints payloads.
type printer struct {
	knownRecord
	w    *bufio.Writer
	form Form
	read message.Message // the parsed payload
	kind message.Kind    // of the payload; a list of Examples has no features of its own
}

// parse parses a payload as the message that it should be.
func (s *printer) parse(payload []byte) error {
	kind := s.message.WireKind()
	if s.message.IsGuessed() {
		kind = message.KindOf(payload)
	}
	err := s.read.Read(kind, payload)
	if s.kind = s.read.Kind; isExampleList(kind) {
		s.kind = kind
	}
	return err
}

// headingSuffix returns the type of a payload for the heading; empty for an Example or bytes.
func (s *printer) headingSuffix() string {
	if s.isText() {
		return ", " + s.message.Word()
	}
	if s.kind != message.None && s.kind != schema.DefaultMessage.Kind() {
		return ", " + s.kind.String()
	}
	return ""
}

// print prints the parsed payload.
func (s *printer) print(payload []byte) error {
	var err error
	switch {
	case s.form == PlainForm:
		err = s.printPlain(payload)
	case s.form == ProtoForm:
		if err = s.read.WriteJSON(s.w); err == nil {
			err = s.w.WriteByte('\n')
		}
	case isExampleList(s.kind):
		err = s.printExamples(payload)
	case s.kind != message.None:
		err = s.printFeatures()
	case s.isText():
		_, err = fmt.Fprintf(s.w, "  %s\n", formatText(payload))
	default:
		_, err = fmt.Fprintf(s.w, "  no message: %s\n", quoteBytes(payload))
	}
	return err
}

// printFeatures prints the features of a message and then its feature lists, each sorted by key.
func (s *printer) printFeatures() error {
	sortByKey(s.read.Features)
	for _, f := range s.read.Features {
		if _, err := fmt.Fprintf(s.w, "%s  %s: %s\n", s.indent(), formatKey(f.Key),
			formatFeature(f.Value, s.features[string(f.Key)])); err != nil {
			return err
		}
	}
	sortByKey(s.read.Lists)
	for _, l := range s.read.Lists {
		if err := s.printSteps(l.Key, l.Value); err != nil {
			return err
		}
	}
	return nil
}

func sortByKey[V any](entries []message.Entry[V]) {
	slices.SortFunc(entries, func(a, b message.Entry[V]) int { return bytes.Compare(a.Key, b.Key) })
}

// printSteps prints a feature list, one line per step.
func (s *printer) printSteps(key []byte, l message.FeatureList) error {
	_, err := fmt.Fprintf(s.w, "  %s: %s\n", formatKey(key), plural.Of(l.Count, "step"))
	known := s.lists[string(key)]
	shown := 0
	for f := range l.Steps() {
		if shown == maxShownSteps {
			_, err = fmt.Fprintf(s.w, "    … %d steps\n", l.Count)
			break
		}
		_, err = fmt.Fprintf(s.w, "    %s\n", formatFeature(f, known))
		shown++
	}
	return err
}

// formatFeature returns the values of a feature: class numbers with the names of the classes,
// other values after their type.
func formatFeature(f message.Feature, known knownFeature) string {
	known.isBool = false // bools are the numbers that the list has
	text := formatValues(f, known, quotedBytes)
	name := listNames[f.List]
	if isInteger := f.List == message.Int64List || f.List == message.Int32List; name == "" || isInteger &&
		known.classes != nil {
		return text
	}
	return name + " " + text
}

// listNames are the types of values by list.
var listNames = map[message.List]string{
	message.BytesList: "bytes", message.FloatList: "float", message.DoubleList: "double", message.Int64List: "int64",
	message.Int32List: "int32",
}

// formatValues returns the values of a feature without their type.
func formatValues(f message.Feature, known knownFeature, style bytesStyle) string {
	texts, between := firstTexts(f, known, maxShownValues, style)
	switch {
	case f.List == "":
		return "no value"
	case f.Count == 1:
		return texts[0]
	case f.Count > maxShownValues:
		texts = append(texts, fmt.Sprintf("… %d values", f.Count))
	}
	return "[" + strings.Join(texts, between) + "]"
}

// quoteBytes returns b quoted, and truncated if it is long.
func quoteBytes(b []byte) string {
	if len(b) <= maxShownBytes {
		return strconv.Quote(string(b))
	}
	return fmt.Sprintf("%s… %d bytes", strconv.Quote(string(truncate(b, maxShownBytes))), len(b))
}

// formatText returns text on one line, truncated if it is long. It is not quoted, but terminal
// control characters are escaped.
func formatText(text []byte) string {
	cut := text
	if len(text) > maxShownText {
		cut = truncate(text, maxShownText)
	}
	var b strings.Builder
	for rest := cut; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		char := string(rest[:size])
		if !strconv.IsPrint(r) || r == utf8.RuneError {
			char = strings.Trim(strconv.Quote(char), `"`)
		}
		b.WriteString(char)
		rest = rest[size:]
	}
	if len(cut) < len(text) {
		fmt.Fprintf(&b, "… %d bytes", len(text))
	}
	return b.String()
}

// truncate returns at most so many bytes of b, which is longer. It does not split a character.
func truncate(b []byte, most int) []byte {
	cut := most
	for cut > most-utf8.UTFMax && !utf8.RuneStart(b[cut]) {
		cut--
	}
	return b[:cut]
}

// formatKey returns key. It quotes keys that are hard to read.
func formatKey(key []byte) string {
	text := string(key)
	if quoted := strconv.Quote(text); text == "" || quoted != `"`+text+`"` {
		return quoted
	}
	return text
}
