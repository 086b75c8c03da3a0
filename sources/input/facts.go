package input

import (
	"encoding/json"
	"maps"
	"strings"
)

// Facts are what scanners remarked on their way, and what they saw of images.
type Facts struct {
	notes map[Note]Noted
	seen  map[string]*Seen // by image column
}

// A Note is something remarkable about a row that can still be used.
type Note struct{ Code, Text string }

// Noted are the rows that one note is about.
type Noted struct {
	Count   int
	Example string // the name of the one that comes first by name
}

// Seen are the formats and the channels of the images of a column.
type Seen struct {
	Formats     map[string]bool
	Colorspaces map[string]bool
	Channels    map[int]bool
}

// NewFacts are no facts yet.
func NewFacts() *Facts { return &Facts{map[Note]Noted{}, map[string]*Seen{}} }

// Empty reports whether nothing was remarked.
func (f *Facts) Empty() bool { return len(f.notes)+len(f.seen) == 0 }

// Clear forgets all.
func (f *Facts) Clear() {
	clear(f.notes)
	clear(f.seen)
}

// Notes are the notes and the rows that they are about.
func (f *Facts) Notes() map[Note]Noted { return f.notes }

// Seen is what was seen of a column's images; nil where nothing was.
func (f *Facts) Seen(column string) *Seen { return f.seen[column] }

// Note notes one row.
func (f *Facts) Note(code, text, name string) { f.note(Note{code, text}, Noted{1, name}) }

func (f *Facts) note(n Note, more Noted) {
	noted := f.notes[n]
	if noted.Count == 0 || more.Example < noted.Example {
		noted.Example = strings.Clone(more.Example)
	}
	noted.Count += more.Count
	f.notes[n] = noted
}

// See notes what an image of a column is. It allocates only for what is new.
func (f *Facts) See(column, format, colorspace string, channels int) {
	seen := f.images(column)
	if !seen.Formats[format] {
		seen.Formats[format] = true
	}
	if !seen.Colorspaces[colorspace] {
		seen.Colorspaces[colorspace] = true
	}
	if !seen.Channels[channels] {
		seen.Channels[channels] = true
	}
}

func (f *Facts) images(column string) *Seen {
	seen := f.seen[column]
	if seen == nil {
		seen = &Seen{map[string]bool{}, map[string]bool{}, map[int]bool{}}
		f.seen[column] = seen
	}
	return seen
}

// Add adds other facts.
func (f *Facts) Add(others *Facts) {
	for n, noted := range others.notes {
		f.note(n, noted)
	}
	for column, more := range others.seen {
		seen := f.images(column)
		maps.Copy(seen.Formats, more.Formats)
		maps.Copy(seen.Colorspaces, more.Colorspaces)
		maps.Copy(seen.Channels, more.Channels)
	}
}

// A storedNote is a note with what it is about.
type storedNote struct {
	Code    string `json:"code"`
	Text    string `json:"text"`
	Count   int    `json:"count"`
	Example []byte `json:"example"` // a name, which need not be UTF-8
}

// storedFacts are facts as JSON.
type storedFacts struct {
	Notes []storedNote     `json:"notes,omitempty"`
	Seen  map[string]*Seen `json:"seen,omitempty"`
}

// MarshalJSON keeps facts, for a run that resumes.
func (f *Facts) MarshalJSON() ([]byte, error) {
	s := storedFacts{Seen: f.seen}
	for n, noted := range f.notes {
		s.Notes = append(s.Notes, storedNote{n.Code, n.Text, noted.Count, []byte(noted.Example)})
	}
	return json.Marshal(s)
}

// UnmarshalJSON reads what MarshalJSON kept.
func (f *Facts) UnmarshalJSON(text []byte) error {
	var s storedFacts
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	*f = *NewFacts()
	for _, n := range s.Notes {
		f.note(Note{n.Code, n.Text}, Noted{n.Count, string(n.Example)})
	}
	f.Add(&Facts{seen: s.Seen})
	return nil
}
