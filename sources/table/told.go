package table

import (
	"encoding/json"
	"slices"

	"tfr-build/sources/compress"
)

// A told is what the head of a file told, as a listing keeps it.
type told struct {
	Codec compress.Codec
	Head  Head
	Names [][]byte // of the head, which need not be UTF-8
}

// tell adds what the heads told to the listing. It is the same of nearly all files.
func (t *Files) tell() error {
	heads := make([]string, len(t.files))
	for i := range t.files {
		f := &t.files[i]
		if i > 0 && f.sameHead(&t.files[i-1]) {
			heads[i] = heads[i-1]
			continue
		}
		of := told{Codec: f.codec, Head: f.head}
		of.Head.Names = nil
		for _, name := range f.head.Names {
			of.Names = append(of.Names, []byte(name))
		}
		text, err := json.Marshal(&of)
		if err != nil {
			return err
		}
		heads[i] = string(text)
	}
	t.listing.Heads = heads
	return nil
}

func (f *file) sameHead(g *file) bool {
	a, b := &f.head, &g.head
	return f.codec == g.codec && a.First == b.First && a.Lines == b.Lines && a.BOM == b.BOM && a.Looks == b.Looks && a.Empty == b.Empty && slices.Equal(a.Names, b.Names)
}

// know takes what the heads told when they were read for the listing. What it does not
// know is read again.
func (t *Files) know() {
	if t.format == nil || len(t.listing.Heads) != len(t.files) {
		return
	}
	text, of, known := "", told{}, false
	for i, head := range t.listing.Heads {
		if head != text || !known {
			text, of = head, told{}
			known = json.Unmarshal([]byte(head), &of) == nil
			for _, name := range of.Names {
				of.Head.Names = append(of.Head.Names, string(name))
			}
		}
		t.files[i].read, t.files[i].codec, t.files[i].head = known, of.Codec, of.Head
	}
}
