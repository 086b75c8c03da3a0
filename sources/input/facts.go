package input

import (
	"encoding/json"
	"maps"
	"strings"
)

// Facts are the warnings of scanners and the metadata of the images they read.
type Facts struct {
	notes map[Note]WarnedRows
	seen  map[string]*Seen // by image column
}

// A Note is a warning about a row that is still used.
type Note struct{ Code, Text string }

// A WarnedRows describes the rows with one warning.
type WarnedRows struct {
	Count   int
	Example string // the smallest of their names, in byte order
}

// Seen has the formats and channels of the images of a column.
type Seen struct {
	Formats     map[string]bool
	Colorspaces map[string]bool
	Channels    map[int]bool
}

// NewFacts returns empty facts.
func NewFacts() *Facts { return &Facts{map[Note]WarnedRows{}, map[string]*Seen{}} }

// Empty reports whether the facts are empty.
func (f *Facts) Empty() bool { return len(f.notes)+len(f.seen) == 0 }

// Clear removes everything.
func (f *Facts) Clear() {
	clear(f.notes)
	clear(f.seen)
}

// Notes returns the warnings and their rows.
func (f *Facts) Notes() map[Note]WarnedRows { return f.notes }

// Seen returns the metadata of a column's images, or nil if there were none.
func (f *Facts) Seen(column string) *Seen { return f.seen[column] }

// Note adds a warning about the row called name.
func (f *Facts) Note(code, text, name string) { f.note(Note{code, text}, WarnedRows{1, name}) }

func (f *Facts) note(n Note, more WarnedRows) {
	noted := f.notes[n]
	if noted.Count == 0 || more.Example < noted.Example {
		noted.Example = strings.Clone(more.Example)
	}
	noted.Count += more.Count
	f.notes[n] = noted
}

// See adds the metadata of an image of a column. It allocates only for new values.
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

// A storedNote is a Note with its rows, as JSON.
type storedNote struct {
	Code    string `json:"code"`
	Text    string `json:"text"`
	Count   int    `json:"count"`
	Example []byte `json:"example"` // a name, which may not be UTF-8
}

// A storedFacts is Facts as JSON.
type storedFacts struct {
	Notes []storedNote     `json:"notes,omitempty"`
	Seen  map[string]*Seen `json:"seen,omitempty"`
}

// MarshalJSON encodes facts for a run that resumes.
func (f *Facts) MarshalJSON() ([]byte, error) {
	s := storedFacts{Seen: f.seen}
	for n, noted := range f.notes {
		s.Notes = append(s.Notes, storedNote{n.Code, n.Text, noted.Count, []byte(noted.Example)})
	}
	return json.Marshal(s)
}

// UnmarshalJSON decodes the result of MarshalJSON.
func (f *Facts) UnmarshalJSON(text []byte) error {
	var s storedFacts
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	*f = *NewFacts()
	for _, n := range s.Notes {
		f.note(Note{n.Code, n.Text}, WarnedRows{n.Count, string(n.Example)})
	}
	f.Add(&Facts{seen: s.Seen})
	return nil
}
