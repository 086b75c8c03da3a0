package badinput

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"testing"
)

// pictures are small images by kind, of 16 x 8 pixels.
type pictures struct{ jpeg, png, gif string }

func draw(t *testing.T) pictures {
	t.Helper()
	m := image.NewPaletted(image.Rect(0, 0, 16, 8), color.Palette{color.White, color.Black})
	m.Set(1, 1, color.Black)
	var p pictures
	for _, encode := range []struct {
		to   *string
		with func(*bytes.Buffer) error
	}{
		{&p.jpeg, func(b *bytes.Buffer) error { return jpeg.Encode(b, m, nil) }},
		{&p.png, func(b *bytes.Buffer) error { return png.Encode(b, m) }},
		{&p.gif, func(b *bytes.Buffer) error { return gif.Encode(b, m, nil) }},
	} {
		var b bytes.Buffer
		if err := encode.with(&b); err != nil {
			t.Fatal(err)
		}
		*encode.to = b.String()
	}
	return p
}

// frame is the SOF segment's place in a JPEG.
func frame(data string) int { return bytes.Index([]byte(data), []byte{0xff, 0xc0}) }

// sized is a JPEG that claims to be of another size.
func sized(data string, width, height uint16) string {
	b := []byte(data)
	at := frame(data) + 5
	binary.BigEndian.PutUint16(b[at:], height)
	binary.BigEndian.PutUint16(b[at+2:], width)
	return string(b)
}

// marked is a JPEG whose frame is of another kind.
func marked(data string, sof byte) string {
	b := []byte(data)
	b[frame(data)+1] = sof
	return string(b)
}

// imageFaults are files among images that are no good images.
func imageFaults(t *testing.T) []fault {
	p := draw(t)
	end := len(p.jpeg)
	at := func(name, keys, file, data string) fault {
		return fault{
			name, "source:\n  images: {dir: pics" + keys + "}\nfeatures:\n  image: {from: image}\n  f: {from: image.format}\n  label: {from: class, classes: [cat, dog]}\n",
			map[string]string{"pics/cat/1.jpg": p.jpeg, "pics/" + file: data},
		}
	}
	huge := []byte(p.png)
	binary.BigEndian.PutUint32(huge[16:], 1<<31-1)
	badCRC := []byte(p.png)
	badCRC[len(badCRC)-1]++ // of IEND
	return []fault{
		at("good", "", "dog/2.jpg", p.jpeg),
		at("no byte", "", "dog/2.jpg", ""),
		at("four bytes", "", "dog/2.jpg", p.jpeg[:4]),
		at("text", "", "dog/2.jpg", "not an image"),
		at("a PNG of that name", "", "dog/2.jpg", p.png),
		at("a PNG of that name, refused", ", format_mismatch: error", "dog/2.jpg", p.png),
		at("a header cut short", "", "dog/2.jpg", p.jpeg[:frame(p.jpeg)+6]),
		at("a scan cut short", "", "dog/2.jpg", p.jpeg[:end-20]),
		at("a scan cut short, not looked at", ", check: header", "dog/2.jpg", p.jpeg[:end-20]),
		at("the end marker missing", "", "dog/2.jpg", p.jpeg[:end-2]),
		at("bytes after the end", "", "dog/2.jpg", p.jpeg+"junk"),
		at("no height", "", "dog/2.jpg", sized(p.jpeg, 16, 0)),
		at("a bomb", "", "dog/2.jpg", sized(p.jpeg, 65535, 65535)),
		at("a PNG bomb", "", "dog/2.png", string(huge)),
		at("a smaller limit", ", check: decode", "dog/2.jpg", sized(p.jpeg, 14000, 14000)),
		at("arithmetic coding", "", "dog/2.jpg", marked(p.jpeg, 0xc9)),
		at("arithmetic coding, allowed", ", allow_unsupported: true", "dog/2.jpg", marked(p.jpeg, 0xc9)),
		at("lossless", "", "dog/2.jpg", marked(p.jpeg, 0xc3)),
		at("a PNG with a bad checksum", "", "dog/2.png", string(badCRC)),
		at("a PNG cut short", "", "dog/2.png", p.png[:len(p.png)-12]),
		at("a GIF cut short", "", "dog/2.gif", p.gif[:len(p.gif)-4]),
		at("AVIF", "", "dog/2.jpg", "\x00\x00\x00\x20ftypavif\x00\x00\x00\x00avifmif1miafMA1B"),
		at("HEIC", "", "dog/2.jpg", "\x00\x00\x00\x20ftypheic\x00\x00\x00\x00heicmif1"),
		at("TIFF", "", "dog/2.jpg", "II*\x00\x08\x00\x00\x00"),
		at("SVG", "", "dog/2.jpg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
		at("PDF", "", "dog/2.jpg", "%PDF-1.4\n"),
		at("a class of no name", "", "bird/2.jpg", p.jpeg),
		at("a file without a class", "", "2.jpg", p.jpeg),
		at("another extension", "", "dog/2.txt", "notes"),
		at("hidden files", "", "dog/.2.jpg", p.jpeg),
		at("a record limit", "", "dog/2.png", p.png+string(make([]byte, 100))),
		{"no image at all", "source:\n  images: {dir: pics}\nfeatures: {image: {from: image}}\n", map[string]string{"pics/a.txt": ""}},
	}
}

// fileFaults are inputs that are not there, or where they should not be.
func fileFaults() []fault {
	table := map[string]string{"t.csv": "a,b\n1,2\n", "in/t.csv": "a,b\n1,2\n"}
	features := "features: {a: int64}\n"
	return []fault{
		{"a missing file", "source: {csv: {files: none.csv}}\n" + features, table},
		{"a pattern without a file", "source: {csv: {files: \"none*.csv\"}}\n" + features, table},
		{"a folder for a file", "source: {csv: {files: in}}\n" + features, table},
		{"a missing folder", "source: {images: {dir: none}}\nfeatures: {image: {from: image}}\n", table},
		{"the same file twice", "source: {csv: {files: [t.csv, \"*.csv\"]}}\n" + features, table},
		{"the same name in two sources", "sources:\n- csv: {files: t.csv}\n- csv: {files: in/t.csv}\n" + features, table},
		{"the same name in two named sources", "sources:\n- {name: x, csv: {files: t.csv}}\n- csv: {files: in/t.csv}\n" + features, table},
		{"outside of the root", "source: {csv: {files: t.csv, root: in}}\n" + features, table},
		{"the output inside the input", "source: {folder: {dir: .}}\nfeatures: {content: bytes}\n", table},
		{"a missing class file", "source: {csv: {files: t.csv}}\nfeatures: {a: {classes: none.txt}}\n", table},
		{"a blank line in a class file", "source: {csv: {files: t.csv}}\nfeatures: {a: {classes: n.txt}}\n", map[string]string{"t.csv": "a\n1\n", "n.txt": "1\n\n2\n"}},
		{"a doubled name in a class file", "source: {csv: {files: t.csv}}\nfeatures: {a: {classes: n.txt}}\n", map[string]string{"t.csv": "a\n1\n", "n.txt": "1\r\n2\r\n1\r\n"}},
		{"a class per file too many", "source: {images: {dir: in, extensions: any, class_per_file: t.csv}}\nfeatures: {class: bytes}\n", table},
		{"a path that does not fit", "source:\n  csv: {files: [t.csv, in/t.csv]}\n  from_path: \"{x}/{y}.csv\"\n" + features, table},
		{"a side table of doubles", "source: {csv: {files: t.csv}}\njoin: [{csv: {files: s.csv}, on: a}]\nfeatures: {a: int64, c: bytes}\n", map[string]string{"t.csv": "a\n1\n", "s.csv": "a,c\n1,x\n1,y\n"}},
		{"a clash with a side table", "source: {csv: {files: t.csv}}\njoin: [{csv: {files: s.csv}, on: a}]\nfeatures: {a: int64}\n", map[string]string{"t.csv": "a,c\n1,2\n", "s.csv": "a,c\n1,x\n"}},
		{"no match in a side table", "source: {csv: {files: t.csv}}\njoin: [{csv: {files: s.csv}, on: a}]\nfeatures: {a: int64, c: bytes}\n", map[string]string{"t.csv": "a\n1\n2\n", "s.csv": "a,c\n1,x\n"}},
		{"a bad side table", "source: {csv: {files: t.csv}}\njoin: [{csv: {files: s.csv}, on: a}]\nfeatures: {a: int64, c: bytes}\n", map[string]string{"t.csv": "a\n1\n2\n", "s.csv": "a,c\n1,x\n2\n"}},
		{"a loaded file that is not there", "source: {csv: {files: t.csv}}\nload: {pic: {path: \"{a}.png\", dir: in, as: bytes}}\nfeatures: {pic: {type: bytes}}\n", table},
		{"a loaded file outside", "source: {csv: {files: t.csv}}\nload: {pic: {path: \"{a}.png\", dir: in, as: bytes}}\nfeatures: {pic: {type: bytes}}\n", map[string]string{"t.csv": "a\n../x\n", "x.png": "secret", "in/y": ""}},
		{"a split without a name", "source: {csv: {files: t.csv}}\nsplit: {column: b}\n" + features, map[string]string{"t.csv": "a,b\n1,train\n2,\n"}},
		{"a split of a bad name", "source: {csv: {files: t.csv}}\nsplit: {column: b}\n" + features, map[string]string{"t.csv": "a,b\n1,train\n2,te/st\n"}},
		{"a count for a split that is not there", "source: {csv: {files: t.csv}}\nsplit: {column: b}\nshards: {count: {train: 1, test: 1}}\n" + features, map[string]string{"t.csv": "a,b\n1,train\n"}},
		{"a split without a count", "source: {csv: {files: t.csv}}\nsplit: {column: b}\nshards: {count: {train: 1}}\n" + features, map[string]string{"t.csv": "a,b\n1,train\n2,dev\n"}},
		{"no features, of a table", "source: {csv: {files: t.csv}}\n", table},
		{"no features, of JSON lines", "source: {jsonl: {files: t.jsonl}}\n", map[string]string{"t.jsonl": "{\"b\": 1, \"a\": 2}\n{\"c\": 1}\n"}},
		{"no features, of images", "source: {images: {dir: in}}\n", table},
		{"a feature of no column", "source: {csv: {files: t.csv}}\nfeatures: {a: int64, c: {type: bytes, from: d}}\n", table},
		{"auto classes without a text", "source: {csv: {files: t.csv}}\nfeatures: {a: {classes: auto, missing: omit}}\n", map[string]string{"t.csv": "a,b\n,1\n"}},
	}
}
