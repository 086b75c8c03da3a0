package images

import (
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"tfr-build/schema"
	"tfr-build/sources/image"
	"tfr-build/sources/image/convert"
	"tfr-build/sources/input"
)

// An Examiner learns the facts of images, checks them, and has them converted.
type Examiner struct {
	check            image.Check
	limits           image.Limits
	minimum          *convert.Minimum
	maximum          *convert.Maximum
	refuseFrames     bool         // of an image of several pictures
	refuseMismatch   bool         // of a format and a name that says another
	allowUnsupported bool         // take images that common decoders do not read
	column           string       // of the images
	facts            *input.Facts // what is remarked goes here

	converter convert.Converter
	picture   Picture
}

// A Picture is an image as its row has it.
type Picture struct {
	convert.Result
	Source image.Facts // of the file
}

// examiner checks and converts the images of a source as its options say.
func (o *Options) examiner() *Examiner {
	e := NewExaminer(o, o.Convert)
	e.minimum, e.maximum, e.refuseFrames = o.Minimum, o.Maximum, o.Frame == "error"
	return e
}

// NewExaminer checks the images that rows name: as the options of their source say
// where that is one of images, else their structure. spec is what is made of them, or
// nil.
func NewExaminer(of input.Options, spec *convert.Spec) *Examiner {
	e := &Examiner{check: image.Structure}
	if o, ok := of.(*Options); ok {
		checks := map[string]image.Check{"header": image.Header, "structure": image.Structure, "decode": image.Decode}
		e.check, e.refuseMismatch, e.allowUnsupported = checks[o.Checked], o.FormatMismatch == "error", o.AllowUnsupported
	}
	e.converter.Spec = spec
	return e
}

// Ask says what of the images is asked for: columns, by what follows the name of
// their own, which is column.
func (e *Examiner) Ask(column string, limits input.Limits, facts *input.Facts, columns []string) {
	e.limits, e.column, e.facts = image.Limits{Pixels: limits.Pixels}, column, facts
	c := &e.converter
	c.Limits = e.limits
	for _, name := range columns {
		c.Content = c.Content || name == ""
		c.Pixels = c.Pixels || name == ".pixels"
	}
}

// Examine checks the image in data, a file called name, and converts it. A
// *schema.RowError says why it cannot be used. The picture holds until the next call.
func (e *Examiner) Examine(data []byte, name string) (*Picture, error) {
	facts, err := e.read(data, name)
	if err != nil {
		return nil, err
	}
	p := &e.picture
	p.Source = facts
	if p.Result, err = e.converter.Convert(data, &facts); err != nil {
		return nil, err
	}
	for w := range facts.Warnings.All() { // decoding found some of them
		e.facts.Note(w.Code(), w.String(), name)
	}
	if p.LosesProfile {
		e.facts.Note("IMG_PROFILE", "the image is converted without its color profile, which is not sRGB", name)
	}
	e.facts.See(e.column, p.Facts.Format.String(), p.Facts.Colorspace, p.Facts.Channels)
	return p, nil
}

// read reads the facts and checks them: first what costs least.
func (e *Examiner) read(data []byte, name string) (image.Facts, error) {
	facts, err := image.Read(data, e.limits)
	kept := e.mayKeep(err)
	if err == nil || kept {
		err = facts.Verify(data, e.check)
	}
	if err == nil || e.mayKeep(err) {
		if bad := e.refuse(&facts, name); bad != nil {
			return facts, bad
		}
	}
	if err == nil {
		err = e.decode(data, &facts)
	}
	if err != nil && !e.mayKeep(err) {
		return facts, err
	}
	if kept || err != nil {
		e.facts.Note("IMG_UNSUPPORTED", "the image is of a kind that common decoders do not read", name)
	}
	return facts, nil
}

// decode decodes the image where that is asked for. Pixels that the converter will
// decode anyway it leaves to that, unless there are several pictures.
func (e *Examiner) decode(data []byte, facts *image.Facts) error {
	if e.check != image.Decode || facts.Frames <= 1 && e.converter.Decodes(facts) {
		return nil
	}
	return e.converter.Check(data, facts)
}

// refuse is the fault of an image that is sound and not wanted.
func (e *Examiner) refuse(facts *image.Facts, name string) error {
	if named := image.FormatOfName(name); named != facts.Format && filepath.Ext(name) != "" {
		if e.refuseMismatch {
			return &schema.RowError{Code: "FORMAT_MISMATCH", At: 0, Message: "a " + facts.Format.String() + " file named " + filepath.Ext(name), Hint: "format_mismatch: accept"}
		}
		e.facts.Note("FORMAT_MISMATCH", "the image is not of the format that its extension says", name)
	}
	if e.refuseFrames && facts.Frames > 1 {
		return &schema.RowError{Code: "IMG_ANIMATED", At: -1, Message: fmt.Sprintf("the image has %d pictures; expected one", facts.Frames), Hint: "frame: first"}
	}
	width, height := e.converter.Size(facts)
	if code, text := convert.CheckSize(e.minimum, e.maximum, width, height); code != "" {
		return &schema.RowError{Code: code, At: -1, Message: text}
	}
	return e.converter.CheckSize(facts)
}

// mayKeep reports whether err only says that others may not read the image, and
// such images are taken nevertheless.
func (e *Examiner) mayKeep(err error) bool {
	bad, ok := errors.AsType[*schema.RowError](err)
	return ok && bad.Code == "IMG_UNSUPPORTED" && e.allowUnsupported
}

// AppendColumn is the value of an image's column, whose name goes on after the
// image's own so. Its text, where it needs one, is appended to buf.
func (p *Picture) AppendColumn(buf []byte, name string) ([]byte, schema.Value) {
	switch name {
	case "":
		return buf, schema.Value{Kind: schema.Bytes, Text: p.Content}
	case ".pixels":
		return buf, schema.Value{Kind: schema.Array, Elem: schema.Uint8, Text: p.Pixels}
	}
	facts := &p.Facts
	fact, ofSource := strings.CutPrefix(name, ".source")
	if ofSource {
		facts = &p.Source
	}
	number := 0
	switch fact {
	case ".format":
		return buf, schema.Value{Kind: schema.Text, Text: []byte(facts.Format.String())}
	case ".colorspace":
		return buf, schema.Value{Kind: schema.Text, Text: []byte(facts.Colorspace)}
	case ".height":
		number = facts.Height
	case ".width":
		number = facts.Width
	case ".channels":
		number = facts.Channels
	case ".orientation":
		number = facts.Orientation
	}
	at := len(buf)
	buf = strconv.AppendInt(buf, int64(number), 10)
	return buf, schema.Value{Kind: schema.Number, Text: buf[at:len(buf):len(buf)]}
}
