package images

import (
	"errors"
	"path/filepath"
	"strconv"

	"tfr-build/schema"
	"tfr-build/sources/image"
	"tfr-build/sources/input"
)

// An Examiner learns the facts of images and checks them.
type Examiner struct {
	Check            image.Check
	Limits           image.Limits
	RefuseMismatch   bool         // of a format and a name that says another
	AllowUnsupported bool         // take images that common decoders do not read
	Column           string       // of the images
	Facts            *input.Facts // what is remarked goes here
}

// examiner checks the images of a source as its options say.
func (o *Options) examiner(limits image.Limits, facts *input.Facts) Examiner {
	checks := map[string]image.Check{"header": image.Header, "structure": image.Structure, "decode": image.Decode}
	return Examiner{
		Check: checks[o.Check], RefuseMismatch: o.FormatMismatch == "error", AllowUnsupported: o.AllowUnsupported,
		Limits: limits, Column: "image", Facts: facts,
	}
}

// NewExaminer checks the images that rows name in a column: as the options of
// their source say where that is one of images, else their structure.
func NewExaminer(of input.Options, limits input.Limits, column string, facts *input.Facts) Examiner {
	e := Examiner{Check: image.Structure}
	if o, ok := of.(*Options); ok {
		e = o.examiner(image.Limits{}, nil)
	}
	e.Limits, e.Column, e.Facts = image.Limits{Pixels: limits.Pixels}, column, facts
	return e
}

// Examine learns the facts of the image in data, a file called name. A
// *schema.RowError says why it cannot be used.
func (e *Examiner) Examine(data []byte, name string) (image.Facts, error) {
	facts, err := image.Read(data, e.Limits)
	kept := e.mayKeep(err)
	if err == nil || kept {
		err = facts.Verify(data, e.Check)
	}
	if err != nil && !e.mayKeep(err) {
		return facts, err
	}
	if kept || err != nil {
		e.Facts.Note("IMG_UNSUPPORTED", "the image is of a kind that common decoders do not read", name)
	}
	if named := image.FormatOfName(name); named != facts.Format && filepath.Ext(name) != "" {
		if e.RefuseMismatch {
			return facts, &schema.RowError{Code: "FORMAT_MISMATCH", At: 0, Message: "a " + facts.Format.String() + " file named " + filepath.Ext(name), Hint: "format_mismatch: accept"}
		}
		e.Facts.Note("FORMAT_MISMATCH", "the image is not of the format that its extension says", name)
	}
	for w := range facts.Warnings.All() {
		e.Facts.Note(w.Code(), w.String(), name)
	}
	e.Facts.See(e.Column, facts.Format.String(), facts.Colorspace, facts.Channels)
	return facts, nil
}

// mayKeep reports whether err only says that others may not read the image, and
// such images are taken nevertheless.
func (e *Examiner) mayKeep(err error) bool {
	bad, ok := errors.AsType[*schema.RowError](err)
	return ok && bad.Code == "IMG_UNSUPPORTED" && e.AllowUnsupported
}

// AppendFact is the value of an image's column, such as height. Its text, where
// it needs one, is appended to buf.
func AppendFact(buf []byte, name string, facts *image.Facts) ([]byte, schema.Value) {
	number := 0
	switch name {
	case "format":
		return buf, schema.Value{Kind: schema.Text, Text: []byte(facts.Format.String())}
	case "colorspace":
		return buf, schema.Value{Kind: schema.Text, Text: []byte(facts.Colorspace)}
	case "height":
		number = facts.Height
	case "width":
		number = facts.Width
	case "channels":
		number = facts.Channels
	case "orientation":
		number = facts.Orientation
	}
	at := len(buf)
	buf = strconv.AppendInt(buf, int64(number), 10)
	return buf, schema.Value{Kind: schema.Number, Text: buf[at:len(buf):len(buf)]}
}
