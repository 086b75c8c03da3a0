package schema

import (
	"cmp"
	"slices"
	"strconv"

	"tfr-build/message"
	"tfr-build/schema/date"
)

// A Stored is a feature as it is in records: all that a reader of records has to know, and nothing of how
// rows become it. Code that reads, checks, or describes records asks it, and knows no form of values.
type Stored struct {
	Key   string
	Keys  []string     // in a message: of the values, and of the row lengths of a ragged feature, the outermost first
	List  message.List // that has the values; empty if the message cannot store them
	Steps bool         // it is a feature list of a SequenceExample; the shape and the bounds are of one step

	Type      Type      // of the values
	Packing   Packing   // how the values are in the list
	Shape     []int     // of the values; -1 is any length, and several -1s are lists of their own lengths
	OnMissing OnMissing // what a record has if the row has no value

	Lowest, Highest int64    // bounds of integers; also the number of unknown classes is valid
	Finite          bool     // floats are neither nan nor infinite
	Classes         *Classes // the values are numbers of these classes
	Places          *Classes // the last dimension has a 0 or 1 for each of these classes
	Unit            string   // of integers that count the time since 1970: s, ms, us, ns, or days; empty for others
	LabelMap        string   // name of the label map of the classes; empty: none
	Image           bool     // the values are image files
	TFDS            string   // the feature type of TFDS that the config names

	nested  bool // of OfStep
	feature *Feature
}

// A Packing is how several values become one byte string.
type Packing string

// The packings.
const (
	NotPacked Packing = ""       // the values are in the list
	Raw       Packing = "raw"    // little-endian numbers
	Tensor    Packing = "tensor" // a serialized TensorProto
)

// Stored returns f as it is in records of a message. steps means that it is in Record.Sequence.
func (f *Feature) Stored(m Message, steps bool) *Stored {
	s := &Stored{
		Key: f.Key, Keys: f.Keys(), List: f.storage(m).list, Steps: steps, Type: f.Type, Shape: f.Shape,
		OnMissing: f.OnMissing, Finite: !f.AllowNonfinite, Classes: f.Classes, Places: f.MultiHot,
		LabelMap: f.LabelMap, Image: f.Image, TFDS: f.TFDS, feature: f,
	}
	switch {
	case f.Tensor:
		s.Packing = Tensor
	case f.Raw:
		s.Packing = Raw
	}
	if f.Date != nil {
		s.Unit = f.Date.Unit.String()
	}
	s.Lowest, s.Highest = f.Type.Limits()
	switch {
	case s.Places != nil:
		s.Lowest, s.Highest = 0, 1
	case s.Classes != nil:
		s.Lowest, s.Highest = s.Classes.First, s.Classes.First+int64(len(s.Classes.Names))-1
	}
	return s
}

// Stored returns the features as they are in records, and then the feature lists. A record that is the content
// of a column has none.
func (r *Record) Stored() []*Stored {
	return append(r.storedOf(r.Features, false), r.storedOf(r.Sequence, true)...)
}

func (r *Record) storedOf(features []Feature, steps bool) (all []*Stored) {
	for i := range features {
		all = append(all, features[i].Stored(r.Message, steps))
	}
	return all
}

// IsPacked reports whether the values are one byte string.
func (s *Stored) IsPacked() bool { return s.Packing != NotPacked }

// IsBinary reports whether the values in the list are bytes that are not text.
func (s *Stored) IsBinary() bool { return s.IsPacked() || s.Type == BytesType }

// IsOptional reports whether a record may lack the feature.
func (s *Stored) IsOptional() bool { return s.OnMissing == MissingOmit }

// RaggedRank returns the number of dimensions whose rows have different lengths, which is also the number of lists of
// lengths. It is 0 if the feature is not ragged.
func (s *Stored) RaggedRank() int { return len(s.Keys) - 1 }

// ListShape returns the shape of the values in the list. It is empty for packed values, and for a ragged
// feature it begins at the innermost -1.
func (s *Stored) ListShape() []int {
	if s.IsPacked() {
		return nil
	}
	return s.Shape[s.RaggedRank():]
}

// IsVariable reports whether the list may have different numbers of values.
func (s *Stored) IsVariable() bool {
	shape := s.ListShape()
	return len(shape) > 0 && shape[0] < 0
}

// Size returns the number of values, or -1 for any multiple of inner. For packed values, it is their number in the byte
// string.
func (s *Stored) Size() (size, inner int) { return shapeSize(s.Shape) }

// ClassNames returns Classes or Places; nil if the feature has neither.
func (s *Stored) ClassNames() *Classes { return cmp.Or(s.Places, s.Classes) }

// ValueOf returns the value of a string of the input: of a date, or of a string that a map names. Any other string is
// returned as it is.
func (s *Stored) ValueOf(text string) string {
	if m := s.feature.Map; m != nil {
		if i := slices.Index(m.Strings, text); i >= 0 {
			return string(m.Values[i].Text)
		}
	}
	if d := s.feature.Date; d != nil {
		if parser, err := d.parser(); err == nil {
			if n, problem := parser.Parse([]byte(text)); problem.Reason == date.Fine {
				return strconv.FormatInt(n, 10)
			}
		}
	}
	return text
}

// An Entry is one key of a message. A ragged feature has several.
type Entry struct {
	*Stored
	Key       string       // for a ragged feature: the key of its values or of one of its lists of lengths
	List      message.List // the list that has the values
	IsLengths bool         // the values are lengths of the lists of a ragged feature
}

// Entries returns the keys of the features in ascending order, followed by the keys of the feature lists.
func (r *Record) Entries() []Entry {
	return append(entriesOf(r.storedOf(r.Features, false)), entriesOf(r.storedOf(r.Sequence, true))...)
}

// Entries returns the entries of the record. The content of a column is one entry without a key.
func (s *Schema) Entries() []Entry {
	if r := &s.record; r.Message.IsColumn() {
		return entriesOf(r.storedOf([]Feature{r.column()}, false))
	}
	return s.record.Entries()
}

func entriesOf(features []*Stored) (all []Entry) {
	for _, s := range features {
		all = append(all, Entry{Stored: s, Key: s.Keys[0], List: s.List})
		for _, key := range s.Keys[1:] {
			all = append(all, Entry{Stored: s, Key: key, List: message.Int64List, IsLengths: true})
		}
	}
	slices.SortFunc(all, func(a, b Entry) int { return cmp.Compare(a.Key, b.Key) })
	return all
}
