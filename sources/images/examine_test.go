package images

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"tfr-build/internal/imagetest"
	"tfr-build/pixels/convert"
	"tfr-build/schema"
	"tfr-build/sources/files"
	"tfr-build/sources/input"
)

// TestExamine checks the results for sound images that the options reject, for damaged images,
// and the warnings of accepted ones.
func TestExamine(t *testing.T) {
	photo := imagetest.Photos(t)[6].Data // Landscape_6, stored 1200 x 1800
	damaged := imagetest.Find(t, "jpeg-decoder-tests", "dc-predictor-overflow.jpg")
	animated := imagetest.Find(t, "made", "animated.gif")
	undecodable := slices.Concat([]byte("\x89PNG\r\n\x1a\n"),
		chunk("IHDR", "\x00\x00\x00\x08\x00\x00\x00\x08\x08\x00\x00\x00\x00"), chunk("IDAT", "no zlib"),
		chunk("IEND", ""))
	pixels, aspect := int64(2_159_999), int64(1_400_000)
	turned := &convert.Spec{Orientation: "apply", Color: "keep", Format: "keep", Quality: 95, Subsampling: "420",
		When: "needed"}
	for _, tt := range []struct {
		name    string
		data    []byte
		options Options
		want    string // the code of the fault
		note    string // the code of a note
	}{
		{"a photo", photo, Options{}, "", ""},
		{"its size", photo, Options{Minimum: &convert.Minimum{Width: 1200, Height: 1800}}, "", ""},
		{"too narrow", photo, Options{Minimum: &convert.Minimum{Width: 1201, Height: 1}}, "IMG_SMALL", ""},
		{"wide enough when turned", photo, Options{Minimum: &convert.Minimum{Width: 1800, Height: 1200},
			Convert: turned}, "", ""},
		{"too low when turned", photo, Options{Minimum: &convert.Minimum{Width: 1, Height: 1201}, Convert: turned},
			"IMG_SMALL", ""},
		{"too many pixels", photo, Options{Maximum: &convert.Maximum{Pixels: &pixels}}, "IMG_LARGE", ""},
		{"too long", photo, Options{Maximum: &convert.Maximum{Aspect: &aspect}}, "IMG_LARGE", ""},
		{"several pictures", animated, Options{}, "", "IMG_ANIMATED"},
		{"several pictures, refused", animated, Options{Frame: "error"}, "IMG_ANIMATED", ""},
		{"misnamed", animated, Options{FormatMismatch: "error"}, "FORMAT_MISMATCH", ""},
		{"damaged", damaged, Options{}, "", "IMG_TRAILING"},
		{"damaged, decoded", damaged, Options{Checked: "decode"}, "", "IMG_DAMAGED"},
		{"undecodable", undecodable, Options{}, "", ""},
		{"undecodable, decoded", undecodable, Options{Checked: "decode"}, "IMG_CORRUPT", ""},
		{"too narrow, undecodable, decoded", undecodable,
			Options{Checked: "decode", Minimum: &convert.Minimum{Width: 9}}, "IMG_SMALL", ""},
		{"damaged, converted", damaged, Options{Convert: &convert.Spec{Orientation: "keep", Color: "keep",
			Format: "png", When: "needed"}}, "", "IMG_DAMAGED"},
	} {
		if tt.options.Checked == "" {
			tt.options.Checked = "structure"
		}
		e := tt.options.examiner()
		observed := input.NewObservations()
		e.ask("image", input.Limits{}, observed, []input.Bound{{Name: ""}}, false)
		_, err := e.Examine(tt.data, "it.jpg")
		code := ""
		if bad, ok := err.(*schema.RowError); ok {
			code = bad.Code
		} else if err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		if code != tt.want {
			t.Errorf("%s: %q, want %q: %v", tt.name, code, tt.want, err)
		}
		noted := tt.note == ""
		for n := range observed.Warnings() {
			noted = noted || n.Code == tt.note
		}
		if !noted {
			t.Errorf("%s: no note %s among %v", tt.name, tt.note, observed.Warnings())
		}
	}
}

// TestUnsupportedHint checks that the hint names allow_unsupported only if it would help.
func TestUnsupportedHint(t *testing.T) {
	twelveBits := imagetest.Find(t, "libjpeg-turbo-testimages", "monkey12.jpg")
	toPNG := &convert.Spec{Orientation: "keep", Color: "keep", Format: "png", When: "needed"}
	for _, tt := range []struct {
		name   string
		source input.Options
		spec   *convert.Spec
		hint   string
	}{
		{"not allowed", &Options{Checked: "structure"}, nil, "allow_unsupported: true"},
		{"not allowed, decoded by the check", &Options{Checked: "decode"}, nil, "allow_unsupported: true"},
		{"not allowed, converted", &Options{Checked: "structure"}, toPNG, ""},
		{"allowed, converted", &Options{Checked: "structure", AllowUnsupported: true}, toPNG, ""},
		{"a source without the option", nil, nil, ""},
	} {
		e := NewExaminer(tt.source, tt.spec)
		e.ask("image", input.Limits{}, input.NewObservations(), []input.Bound{{Name: ""}}, false)
		_, err := e.Examine(twelveBits, "it.jpg")
		if bad, ok := err.(*schema.RowError); !ok || bad.Code != "IMG_UNSUPPORTED" || bad.Hint != tt.hint {
			t.Errorf("%s: got %v, want IMG_UNSUPPORTED with the hint %q", tt.name, err, tt.hint)
		}
	}
}

// chunk returns a chunk of a PNG.
func chunk(name, body string) []byte {
	b := append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), name+body...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// TestDigests compares the digests with those of the bytes: of the result and of the file.
func TestDigests(t *testing.T) {
	photo := imagetest.Photos(t)[6].Data // Landscape_6, which is turned
	digest := func(data []byte) string {
		sum := sha256.Sum256(data)
		return hex.EncodeToString(sum[:])
	}
	for _, spec := range []*convert.Spec{nil, {Orientation: "apply", Color: "keep", Format: "keep", Quality: 95,
		Subsampling: "420", When: "needed"}} {
		e := NewExaminer(&Options{Checked: "structure"}, spec)
		e.ask("image", input.Limits{}, input.NewObservations(), []input.Bound{{Name: ".sha256"}}, false)
		examined, err := e.Examine(photo, "it.jpg")
		if err != nil {
			t.Fatal(err)
		}
		_, content := examined.AppendColumn(nil, "")
		_, got := examined.AppendColumn([]byte("before"), ".sha256")
		_, source := examined.AppendColumn(nil, ".source.sha256")
		switch {
		case len(content.Text) == 0 || string(got.Text) != digest(content.Text):
			t.Errorf("got %s, want the digest of %d bytes", got.Text, len(content.Text))
		case string(source.Text) != digest(photo):
			t.Errorf("of the file: got %s, want %s", source.Text, digest(photo))
		case (spec == nil) != (string(got.Text) == string(source.Text)):
			t.Error("only a file that is kept has the digest of its source")
		}
	}
}

// TestOneDigestPerFile reads an image whose SHA-256 the system keeps: image.sha256 is that value, computed once.
func TestOneDigestPerFile(t *testing.T) {
	dir, data := t.TempDir(), imagetest.Photos(t)[6].Data
	if err := os.WriteFile(filepath.Join(dir, "a.jpg"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	env := &input.Env{Files: new(files.System), Workers: 1, Resolve: filepath.Clean,
		Limits: input.Limits{Record: len(data), Pixels: 1 << 30}}
	env.Files.KeepSums()
	in, err := (&Options{Below: input.Below{Dir: dir}, Extensions: input.Extensions{Any: true},
		Checked: "structure"}).Open(t.Context(),
		env)
	if err != nil {
		t.Fatal(err)
	}
	layout, err := in.Bind([]input.Bound{{Name: "image.sha256"}})
	if err != nil {
		t.Fatal(err)
	}
	known := slices.Repeat([]byte{7}, sha256.Size) // not the digest of the file
	env.Files.Sums().Set(files.Key{Listed: &in.(*imagesInput).Listing().Files[0]}, known)
	vals := make([]schema.Value, 1)
	if _, err := layout(input.NewObservations(), false).Scan(0, 0, nil, vals); err != nil {
		t.Fatal(err)
	}
	if got := string(vals[0].Text); got != hex.EncodeToString(known) {
		t.Errorf("image.sha256 is %s, and the statement has %x", got, known)
	}
}
