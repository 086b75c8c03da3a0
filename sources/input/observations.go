package input

import (
	"encoding/json"
	"maps"
	"strings"
)

// Observations are the warnings of scanners and the metadata of the images they read.
type Observations struct {
	warnings map[Warning]WarnedRows
	images   map[string]*ImageStats // by image column
}

// A Warning is about input that is used although it may be a mistake. The commands print it, and the
// manifest and the report have it.
type Warning struct {
	Code    string // of docs/reference/errors.md; may be empty
	Text    string // a sentence without the code and the position of the source
	Column  string // may be empty
	Feature string // key; may be empty
}

// A WarnedRows describes the rows with one warning.
type WarnedRows struct {
	Count   int
	Example string // the smallest of their names, in byte order
}

// ImageStats has the formats and channels of the images of a column.
type ImageStats struct {
	Formats     map[string]bool
	Colorspaces map[string]bool
	Channels    map[int]bool

	Width, Height int // of all images; 0 if no size is known, -1 if they differ
}

// NewObservations returns observations of no rows.
func NewObservations() *Observations {
	return &Observations{map[Warning]WarnedRows{}, map[string]*ImageStats{}}
}

// Empty reports whether nothing was observed.
func (o *Observations) Empty() bool { return len(o.warnings)+len(o.images) == 0 }

// Clear removes everything.
func (o *Observations) Clear() {
	clear(o.warnings)
	clear(o.images)
}

// Warnings returns the warnings and their rows.
func (o *Observations) Warnings() map[Warning]WarnedRows { return o.warnings }

// Images returns the metadata of a column's images, or nil if there were none.
func (o *Observations) Images(column string) *ImageStats { return o.images[column] }

// Warn adds a warning about the row called name.
func (o *Observations) Warn(code, text, name string) {
	o.addWarning(Warning{Code: code, Text: text}, WarnedRows{1, name})
}

func (o *Observations) addWarning(n Warning, more WarnedRows) {
	noted := o.warnings[n]
	if noted.Count == 0 || more.Example < noted.Example {
		noted.Example = strings.Clone(more.Example)
	}
	noted.Count += more.Count
	o.warnings[n] = noted
}

// AddImage adds the metadata of an image of a column; 0 is an unknown width and height. It allocates only for new
// values.
func (o *Observations) AddImage(column, format, colorspace string, channels, width, height int) {
	seen := o.imageStats(column)
	if !seen.Formats[format] {
		seen.Formats[format] = true
	}
	if !seen.Colorspaces[colorspace] {
		seen.Colorspaces[colorspace] = true
	}
	if !seen.Channels[channels] {
		seen.Channels[channels] = true
	}
	seen.addSize(width, height)
}

// addSize adds the size of images.
func (s *ImageStats) addSize(width, height int) {
	switch {
	case width == 0 || s.Width == width && s.Height == height:
	case s.Width == 0:
		s.Width, s.Height = width, height
	default:
		s.Width, s.Height = -1, -1
	}
}

// AddImages adds the metadata of the images of others. Their columns have names that begin with prefix here.
func (o *Observations) AddImages(prefix string, others *Observations) {
	for column, more := range others.images {
		o.imageStats(prefix + column).add(more)
	}
}

func (s *ImageStats) add(more *ImageStats) {
	maps.Copy(s.Formats, more.Formats)
	maps.Copy(s.Colorspaces, more.Colorspaces)
	maps.Copy(s.Channels, more.Channels)
	s.addSize(more.Width, more.Height)
}

func (o *Observations) imageStats(column string) *ImageStats {
	seen := o.images[column]
	if seen == nil {
		seen = &ImageStats{Formats: map[string]bool{}, Colorspaces: map[string]bool{}, Channels: map[int]bool{}}
		o.images[column] = seen
	}
	return seen
}

// Add adds the observations of other rows.
func (o *Observations) Add(others *Observations) {
	for n, noted := range others.warnings {
		o.addWarning(n, noted)
	}
	o.AddImages("", others)
}

// A storedWarning is a Warning with its rows, as JSON.
type storedWarning struct {
	Code    string `json:"code"`
	Text    string `json:"text"`
	Count   int    `json:"count"`
	Example []byte `json:"example"` // a name, which may not be UTF-8
}

// A storedObservations is Observations as JSON.
type storedObservations struct {
	Notes []storedWarning        `json:"notes,omitempty"`
	Seen  map[string]*ImageStats `json:"seen,omitempty"`
}

// MarshalJSON encodes the observations for a run that resumes.
func (o *Observations) MarshalJSON() ([]byte, error) {
	s := storedObservations{Seen: o.images}
	for n, noted := range o.warnings {
		s.Notes = append(s.Notes, storedWarning{n.Code, n.Text, noted.Count, []byte(noted.Example)})
	}
	return json.Marshal(s)
}

// UnmarshalJSON decodes the result of MarshalJSON.
func (o *Observations) UnmarshalJSON(text []byte) error {
	var s storedObservations
	if err := json.Unmarshal(text, &s); err != nil {
		return err
	}
	*o = *NewObservations()
	for _, n := range s.Notes {
		o.addWarning(Warning{Code: n.Code, Text: n.Text}, WarnedRows{n.Count, string(n.Example)})
	}
	o.Add(&Observations{images: s.Seen})
	return nil
}
