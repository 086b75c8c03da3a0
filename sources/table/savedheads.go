package table

import (
	"context"
	"encoding/json"

	"tfr-build/sources/compress"
	"tfr-build/sources/files"
)

// SavedHeads returns the head of each file as the listing stores it. A new listing gets the strings that read returns.
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

// saveHead returns a head as stored in a listing.
func saveHead(codec compress.Codec, head Head) (string, error) {
	saved := savedHead{Codec: codec, Head: head}
	saved.Head.Names = nil
	for _, name := range head.Names {
		saved.Names = append(saved.Names, []byte(name))
	}
	text, err := json.Marshal(&saved)
	return string(text), err
}

// setHeads sets the heads of the files. Nearly all files have the same head, which is in memory once.
func (t *Files) setHeads(heads []string) error {
	for i, text := range heads {
		f := &t.files[i]
		if i > 0 && text == heads[i-1] {
			f.codec, f.head = t.files[i-1].codec, t.files[i-1].head
			continue
		}
		var saved savedHead
		if err := json.Unmarshal([]byte(text), &saved); err != nil {
			return err
		}
		for _, name := range saved.Names {
			saved.Head.Names = append(saved.Head.Names, string(name))
		}
		f.codec, f.head = saved.Codec, saved.Head
	}
	return nil
}
