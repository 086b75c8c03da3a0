package table

import (
	"context"
	"encoding/json"
	"slices"

	"tfr-build/sources/compress"
	"tfr-build/sources/files"
)

// SavedHeads returns the head of each file as the listing stores it. A new listing gets the strings that read returns.
// A source type that reads heads itself calls it.
func (t *Files) SavedHeads(ctx context.Context, read func(file int) (string, error)) ([]string, error) {
	if len(t.listing.Heads) == len(t.files) {
		return t.listing.Heads, nil
	}
	heads := make([]string, len(t.files))
	err := files.Each(ctx, len(heads), func(i int) (err error) {
		heads[i], err = read(i)
		return err
	})
	if err == nil {
		t.listing.Heads = heads
	}
	return heads, err
}

// A savedHead is the head of a file as stored in a listing.
type savedHead struct {
	Codec compress.Codec
	Head  Head
	Names [][]byte // of the head; bytes, because they need not be UTF-8
}

// saveHeads adds the heads to the listing. Nearly all files have the same head, which is encoded
// once.
func (t *Files) saveHeads() error {
	heads := make([]string, len(t.files))
	for i := range t.files {
		f := &t.files[i]
		if i > 0 && f.sameHead(&t.files[i-1]) {
			heads[i] = heads[i-1]
			continue
		}
		saved := savedHead{Codec: f.codec, Head: f.head}
		saved.Head.Names = nil
		for _, name := range f.head.Names {
			saved.Names = append(saved.Names, []byte(name))
		}
		text, err := json.Marshal(&saved)
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
	return f.codec == g.codec && a.First == b.First && a.Lines == b.Lines && a.LikelyDelimiter == b.LikelyDelimiter &&
		a.Empty == b.Empty && slices.Equal(a.Names, b.Names)
}

// loadHeads restores the heads from the listing. Heads that it does not have will be read again.
func (t *Files) loadHeads() {
	if t.format == nil || len(t.listing.Heads) != len(t.files) {
		return
	}
	text, saved, known := "", savedHead{}, false
	for i, head := range t.listing.Heads {
		if head != text || !known {
			text, saved = head, savedHead{}
			known = json.Unmarshal([]byte(head), &saved) == nil
			for _, name := range saved.Names {
				saved.Head.Names = append(saved.Head.Names, string(name))
			}
		}
		t.files[i].read, t.files[i].codec, t.files[i].head = known, saved.Codec, saved.Head
	}
}
