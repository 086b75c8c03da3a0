package images

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"tfr-build/pixels/convert"
	"tfr-build/pixels/geometry"
	"tfr-build/pixels/header"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// An Examiner reads the metadata of images, checks them, and converts them. It is not safe for
// concurrent use.
type Examiner struct {
	check            header.Check
	limits           header.Limits
	minimum          *convert.Minimum
	maximum          *convert.Maximum
	rejectFrames     bool                // reject an image with several frames
	rejectMismatch   bool                // reject an image whose name has the extension of another format
	mayAllow         bool                // the options of the source have allow_unsupported
	allowUnsupported bool                // accept images that common decoders cannot read
	column           string              // name of the images' column
	observed         *input.Observations // receives warnings and metadata

	meter    *convert.Meter // of the row; may be nil
	measures bool           // only the header is read, for Transform

	converter convert.Converter
	examined  Examined
	transform geometry.Transform
}

// Examined is an examined image: the converted image, and the metadata of its file.
type Examined struct {
	convert.Result
	Source header.Info // metadata of the file

	file   []byte // its bytes
	digest []byte // their SHA-256; nil if nothing has computed it
}

// examiner returns an examiner of the source's images, with all its options.
func (o *Options) examiner() *Examiner {
	e := NewExaminer(o, o.Convert)
	e.minimum, e.maximum, e.rejectFrames = o.Minimum, o.Maximum, o.Frame == "error"
	return e
}

// NewExaminer returns an examiner of images that rows refer to. If their source is an images
// source, it checks them with the source's options, else it checks their structure. The
// conversion spec may be nil.
func NewExaminer(of input.Options, spec *convert.Spec) *Examiner {
	e := &Examiner{check: header.Structure}
	if o, ok := of.(*Options); ok {
		checks := map[string]header.Check{"header": header.Header, "structure": header.Structure,
			"decode": header.Decode}
		e.check, e.rejectMismatch = checks[o.Checked], o.FormatMismatch == "error"
		e.mayAllow, e.allowUnsupported = true, o.AllowUnsupported
	}
	e.converter.Spec = spec
	return e
}

// ask sets the requested columns, by their names without the image's own name, which is column. With namesOnly and
// without columns, Examine reads no more than the header, which Transform needs.
func (e *Examiner) ask(column string, limits input.Limits, observed *input.Observations, columns []input.Bound,
	namesOnly bool) {
	e.measures = namesOnly && len(columns) == 0
	e.limits, e.column, e.observed = header.Limits{Pixels: limits.Pixels}, column, observed
	c := &e.converter
	c.Limits = e.limits
	for _, of := range columns {
		c.Content = c.Content || of.Name == "" || of.Name == ".sha256"
		c.Pixels = c.Pixels || of.Name == ".pixels"
	}
}

// KeepFiles makes Examine return images as their files have them. A nil Examiner examines none.
func (e *Examiner) KeepFiles() {
	if e != nil {
		e.converter.Spec = nil
	}
}

// Measure makes Examine count the pixels of images in m before it decodes them.
func (e *Examiner) Measure(m *convert.Meter) {
	if e != nil {
		e.meter, e.converter.Meter = m, m
	}
}

// Transform implements [Transformer] for the last image. The result is set only if coordinates follow the image.
func (e *Examiner) Transform(string) *geometry.Transform { return &e.transform }

// FileSize returns the size of the last image as its file says.
func (e *Examiner) FileSize() (width, height int) {
	return e.examined.Source.Width, e.examined.Source.Height
}

// Examine checks and converts the image in data, a file called name. A *schema.RowError means
// that the image cannot be used. The Examined is valid until the next call.
func (e *Examiner) Examine(data []byte, name string) (*Examined, error) {
	p, err := e.examine(data, name)
	return p, RowError(err)
}

// RowError returns an error of package pixels as a *schema.RowError, and any other as it is.
func RowError(err error) error {
	if bad, ok := errors.AsType[*header.Error](err); ok {
		return &schema.RowError{Code: bad.Code, At: bad.At, Message: bad.Message, Hint: bad.Hint}
	}
	return err
}

func (e *Examiner) examine(data []byte, name string) (*Examined, error) {
	info, err := e.read(data, name)
	if err != nil {
		return nil, err
	}
	p := &e.examined
	p.Source, p.file, p.digest = info, data, nil
	if e.converter.Spec.Follows() {
		if e.transform, err = e.converter.Transform(&info); err != nil || e.measures {
			return p, err
		}
	}
	if p.Result, err = e.converter.Convert(data, &info); err != nil {
		return nil, err
	}
	for w := range info.Warnings.All() { // decoding adds some of them
		e.observed.Warn(w.Code(), w.String(), name)
	}
	if p.LosesProfile {
		e.observed.Warn("IMG_PROFILE", "the image is converted without its color profile, which is not sRGB", name)
	}
	if p.LosesIndexes {
		e.observed.Warn("IMG_PALETTE", "colors replace the indexes of a palette", name)
	}
	of := &p.Facts
	e.observed.AddImage(e.column, of.Format.String(), of.Colorspace, of.Channels, of.Width, of.Height)
	return p, nil
}

// read reads and checks the metadata, the cheapest checks first.
func (e *Examiner) read(data []byte, name string) (header.Info, error) {
	info, err := header.Read(data, e.limits)
	kept := e.mayKeep(err)
	if err == nil || kept {
		err = info.Verify(data, e.check)
	}
	if err == nil || e.mayKeep(err) {
		if bad := e.checkAccepted(&info, name); bad != nil {
			return info, bad
		}
	}
	if err == nil && !e.measures {
		if err = e.count(&info); err != nil {
			return info, err
		}
		err = e.decode(data, &info)
	}
	if err != nil && !e.mayKeep(err) {
		return info, e.withHint(err, &info)
	}
	if kept || err != nil {
		e.observed.Warn("IMG_UNSUPPORTED", "the image is of a kind that common decoders do not read", name)
	}
	return info, nil
}

// count counts the pixels of an image that is decoded, or of its result if it is larger.
func (e *Examiner) count(info *header.Info) error {
	if e.check != header.Decode && !e.converter.Decodes(info) {
		return nil
	}
	width, height := info.Width, info.Height
	if t, err := e.converter.Transform(info); err == nil && t.To.Width*t.To.Height > width*height {
		width, height = t.To.Width, t.To.Height
	}
	return e.meter.Add(1, width, height)
}

// decode decodes the image if the check requires it. It skips images of one frame that the
// converter decodes anyway.
func (e *Examiner) decode(data []byte, info *header.Info) error {
	if e.check != header.Decode || info.Frames <= 1 && e.converter.Decodes(info) {
		return nil
	}
	return e.converter.Check(data, info)
}

// checkAccepted returns the error of a sound image that the options reject.
func (e *Examiner) checkAccepted(info *header.Info, name string) error {
	if named := header.FormatOfName(name); named != info.Format && filepath.Ext(name) != "" {
		if e.rejectMismatch {
			return &schema.RowError{Code: "FORMAT_MISMATCH", At: 0,
				Message: "a " + info.Format.String() + " file named " + filepath.Ext(name),
				Hint:    "format_mismatch: accept"}
		}
		e.observed.Warn("FORMAT_MISMATCH", "the image is not of the format that its extension says", name)
	}
	if e.rejectFrames && info.Frames > 1 {
		return &schema.RowError{Code: "IMG_ANIMATED", At: -1,
			Message: fmt.Sprintf("the file has %d images; expected one", info.Frames), Hint: "frame: first"}
	}
	width, height := e.converter.Size(info)
	if code, text := convert.CheckSize(e.minimum, e.maximum, width, height); code != "" {
		return &schema.RowError{Code: code, At: -1, Message: text}
	}
	return e.converter.CheckSize(info)
}

// withHint adds the option that would accept the image to an error about its format. It does so only
// if the source has the option, and the image need not be decoded.
func (e *Examiner) withHint(err error, info *header.Info) error {
	bad, ok := errors.AsType[*header.Error](err)
	if !ok || bad.Code != "IMG_UNSUPPORTED" || !e.mayAllow || info.Width <= 0 || info.Height <= 0 {
		return err
	}
	if !e.converter.Decodes(info) {
		bad.Hint = "allow_unsupported: true"
	}
	return err
}

// mayKeep reports whether err only means that other programs may not read the image, and the
// options accept such images.
func (e *Examiner) mayKeep(err error) bool {
	bad, ok := errors.AsType[*header.Error](err)
	return ok && bad.Code == "IMG_UNSUPPORTED" && e.allowUnsupported
}

// AppendColumn returns the value of an image's column, whose name is given without the image's
// own name. If the value needs memory, it is appended to buf.
func (p *Examined) AppendColumn(buf []byte, name string) ([]byte, schema.Value) {
	switch name {
	case "":
		return buf, schema.Value{Kind: schema.Bytes, Text: p.Content}
	case ".pixels":
		return buf, schema.Value{Kind: schema.Array, Elem: schema.Uint8, Text: p.Pixels}
	case ".sha256":
		if !p.Made {
			return p.appendDigest(buf)
		}
		sum := sha256.Sum256(p.Content)
		return appendHex(buf, sum[:])
	case ".source.sha256":
		return p.appendDigest(buf)
	}
	info := &p.Facts
	fact, ofSource := strings.CutPrefix(name, ".source")
	if ofSource {
		info = &p.Source
	}
	number := 0
	switch fact {
	case ".format":
		return buf, schema.Value{Kind: schema.Text, Text: []byte(info.Format.String())}
	case ".colorspace":
		return buf, schema.Value{Kind: schema.Text, Text: []byte(info.Colorspace)}
	case ".height":
		number = info.Height
	case ".width":
		number = info.Width
	case ".channels":
		number = info.Channels
	case ".orientation":
		number = info.Orientation
	}
	at := len(buf)
	buf = strconv.AppendInt(buf, int64(number), 10)
	return buf, schema.Value{Kind: schema.Number, Text: buf[at:len(buf):len(buf)]}
}

// appendDigest appends the SHA-256 of the file to buf in hexadecimal, and returns it as a value.
func (p *Examined) appendDigest(buf []byte) ([]byte, schema.Value) {
	if p.digest == nil {
		sum := sha256.Sum256(p.file)
		p.digest = sum[:]
	}
	return appendHex(buf, p.digest)
}

func appendHex(buf, sum []byte) ([]byte, schema.Value) {
	at := len(buf)
	buf = hex.AppendEncode(buf, sum)
	return buf, schema.Value{Kind: schema.Text, Text: buf[at:len(buf):len(buf)]}
}
