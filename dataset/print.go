package dataset

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"tfr-build/internal/plural"
	"tfr-build/message"
	"tfr-build/schema"
)

// How much is shown, in text.
const (
	maxShownBytes  = 60   // of one value
	maxShownValues = 20   // of one list
	maxShownSteps  = 10   // of one feature list; and Examples of one list of them
	maxShownText   = 4096 // of a payload that is text
)

// A Form is how records are printed.
type Form uint8

// The forms of records.
const (
	TextForm  Form = iota // a heading, and a line for each feature; long values and lists are cut
	PlainForm             // a JSON object in a line, as [message.Message.WritePlain] writes it
	ProtoForm             // a JSON object in a line, as protobuf has it, of which [Write] makes the same payload
)

// PrintRecord prints one payload as [Inspect] does, without a heading. record says
// what it should be.
func PrintRecord(w io.Writer, record *schema.Record, payload []byte, form Form) error {
	out := bufio.NewWriter(w)
	s := shower{w: out, knownRecord: newKnownRecord(record), form: form}
	err := s.parse(payload)
	if err == nil {
		err = s.show(payload)
	}
	if flushErr := out.Flush(); err == nil {
		err = flushErr
	}
	return err
}

// A shower prints payloads.
type shower struct {
	knownRecord
	w    *bufio.Writer
	form Form
	read message.Message
	kind message.Kind // of the payload; a list of Examples has no features itself
}

// parse takes a payload apart, as the message that it should be.
func (s *shower) parse(payload []byte) error {
	kind := message.None
	switch {
	case s.message == schema.SequenceMessage: // one without lists looks like an Example
		kind = message.SequenceExample
	case s.message == schema.OFRecordMessage:
		kind = message.OFRecord
	case !s.isText():
		kind = message.KindOf(payload)
	}
	err := s.read.Read(kind, payload)
	if s.kind = s.read.Kind; kind == message.ListWithContext {
		s.kind = kind
	}
	return err
}

// name is what the heading says of a payload that is neither an Example nor bytes.
func (s *shower) name() string {
	if s.isText() {
		return ", " + recordNames[s.message]
	}
	if s.kind != message.None && s.kind != message.Example {
		return ", " + s.kind.String()
	}
	return ""
}

// show prints the payload that was read.
func (s *shower) show(payload []byte) error {
	var err error
	switch {
	case s.form == PlainForm:
		err = s.plain(payload)
	case s.form == ProtoForm:
		if err = s.read.WriteJSON(s.w); err == nil {
			err = s.w.WriteByte('\n')
		}
	case s.kind == message.ListWithContext:
		err = s.examples(payload)
	case s.kind != message.None:
		err = s.showFeatures()
	case s.isText():
		_, err = fmt.Fprintf(s.w, "  %s\n", shownText(payload))
	default:
		_, err = fmt.Fprintf(s.w, "  no message: %s\n", shownBytes(payload))
	}
	return err
}

// showFeatures prints the features of a message and then its feature lists, by their
// keys.
func (s *shower) showFeatures() error {
	sortByKey(s.read.Features)
	for _, f := range s.read.Features {
		if _, err := fmt.Fprintf(s.w, "%s  %s: %s\n", s.indent(), shownKey(f.Key), featureText(f.Value, s.features[string(f.Key)].classes)); err != nil {
			return err
		}
	}
	sortByKey(s.read.Lists)
	for _, l := range s.read.Lists {
		if err := s.steps(l.Key, l.Value); err != nil {
			return err
		}
	}
	return nil
}

// indent is what stands before a feature of an Example in a list.
func (s *shower) indent() string {
	if s.kind == message.ListWithContext {
		return "  "
	}
	return ""
}

// examples prints the Examples of a list, each after what it is there.
func (s *shower) examples(payload []byte) (err error) {
	n := 0
	message.EachExample(payload, func(isContext bool, example []byte) {
		title := "context"
		if !isContext {
			title = fmt.Sprintf("example %d", n)
			n++
		}
		if err != nil || n > maxShownSteps && !isContext {
			return
		}
		if _, err = fmt.Fprintf(s.w, "  %s\n", title); err == nil {
			err = s.read.Read(message.Example, example)
		}
		if err == nil {
			err = s.showFeatures()
		}
	})
	if err == nil && n > maxShownSteps {
		_, err = fmt.Fprintf(s.w, "  … %d examples\n", n)
	}
	return err
}

func sortByKey[V any](entries []message.Entry[V]) {
	slices.SortFunc(entries, func(a, b message.Entry[V]) int { return bytes.Compare(a.Key, b.Key) })
}

// steps prints a feature list, a line for each step.
func (s *shower) steps(key []byte, l message.FeatureList) error {
	_, err := fmt.Fprintf(s.w, "  %s: %s\n", shownKey(key), plural.Of(l.Count, "step"))
	classes := s.lists[string(key)].classes
	shown := 0
	for f := range l.Steps() {
		if shown == maxShownSteps {
			_, err = fmt.Fprintf(s.w, "    … %d steps\n", l.Count)
			break
		}
		_, err = fmt.Fprintf(s.w, "    %s\n", featureText(f, classes))
		shown++
	}
	return err
}

// featureText returns the values of a feature, after the type that they are
// stored as; or, where they are classes, with the names of these.
func featureText(f message.Feature, classes *schema.Classes) string {
	text := valuesText(f, classes)
	if name := listNames[f.List]; name != "" && !isClass(f, classes) {
		return name + " " + text
	}
	return text
}

// listNames are the types that lists store values as.
var listNames = map[message.List]string{
	message.BytesList: "bytes", message.FloatList: "float", message.DoubleList: "double", message.Int64List: "int64", message.Int32List: "int32",
}

// isClass reports whether the values of a feature are numbers of classes.
func isClass(f message.Feature, classes *schema.Classes) bool {
	return classes != nil && (f.List == message.Int64List || f.List == message.Int32List)
}

// valuesText returns the values of a feature without their type.
func valuesText(f message.Feature, classes *schema.Classes) string {
	float := func(v float64, bits int) string { return strconv.FormatFloat(v, 'g', -1, bits) }
	if isClass(f, classes) {
		return listText(f.Count, f.Ints(), ", ", func(n int64) string { return classText(n, classes) })
	}
	switch f.List {
	case message.BytesList:
		return listText(f.Count, f.Bytes(), " ", shownBytes)
	case message.FloatList:
		return listText(f.Count, f.Floats(), " ", func(v float32) string { return float(float64(v), 32) })
	case message.DoubleList:
		return listText(f.Count, f.Doubles(), " ", func(v float64) string { return float(v, 64) })
	case message.Int64List, message.Int32List:
		return listText(f.Count, f.Ints(), " ", int64s)
	}
	return "no value"
}

func listText[T any](count int, values iter.Seq[T], between string, text func(T) string) string {
	var shown []string
	for v := range values {
		shown = append(shown, text(v))
		if len(shown) == maxShownValues {
			break
		}
	}
	switch {
	case count == 1:
		return shown[0]
	case count > maxShownValues:
		shown = append(shown, fmt.Sprintf("… %d values", count))
	}
	return "[" + strings.Join(shown, between) + "]"
}

// shownBytes returns b quoted, cut where it is long.
func shownBytes(b []byte) string {
	if len(b) <= maxShownBytes {
		return strconv.Quote(string(b))
	}
	return fmt.Sprintf("%s… %d bytes", strconv.Quote(string(cutText(b, maxShownBytes))), len(b))
}

// shownText returns text in one line, cut where it is long, without quotes and
// what a terminal might obey.
func shownText(text []byte) string {
	cut := text
	if len(text) > maxShownText {
		cut = cutText(text, maxShownText)
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

// cutText cuts b, which is longer than most bytes, to those that are shown, but
// not within a character.
func cutText(b []byte, most int) []byte {
	cut := most
	for cut > most-utf8.UTFMax && !utf8.RuneStart(b[cut]) {
		cut--
	}
	return b[:cut]
}

// shownKey returns key, quoted only where it would be hard to read.
func shownKey(key []byte) string {
	text := string(key)
	if quoted := strconv.Quote(text); text == "" || quoted != `"`+text+`"` {
		return quoted
	}
	return text
}
