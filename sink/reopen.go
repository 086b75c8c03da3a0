package sink

import (
	"cmp"
	"context"
	"errors"
	"io"
	"path/filepath"
)

// ReopenParts opens the parts of a stopped run, as KeepParts was given them, and
// returns its note. needs says which of them are needed: the others may be gone,
// and are nil. Where not all that is needed is there, as it was, nothing is
// returned, and what is left of the parts is removed. After an error they stay.
func (s *Stage) ReopenParts(ctx context.Context, needs func(note []byte) ([]bool, error)) (parts []*Part, note []byte, err error) {
	if s.left == nil || s.left.Parts == nil || len(s.left.Parts.Files) == 0 {
		return nil, nil, s.DropParts()
	}
	left := s.left.Parts
	if s.scratch, err = s.claimScratch(); err != nil {
		s.scratch = nil
		return nil, nil, err
	}
	s.scratch.keep = true
	if s.scratch.apart() != left.Dir {
		return nil, nil, s.giveUpParts()
	}
	needed, err := needs(left.Note)
	if err != nil {
		return nil, nil, err
	}
	parts, err = s.reopen(ctx, left.Files, needed)
	switch {
	case err == nil:
		return parts, left.Note, nil
	case ctx.Err() != nil:
		return nil, nil, context.Cause(ctx)
	}
	s.warn("the parts of the stopped run are made again: " + err.Error())
	return nil, nil, s.giveUpParts()
}

// giveUpParts removes the parts of a stopped run and gives back their folder: the
// next part is the first of new ones.
func (s *Stage) giveUpParts() error {
	claimed := s.scratch
	claimed.keep, s.scratch = false, nil
	return cmp.Or(claimed.close(), s.DropParts())
}

var errNoPart = errors.New("they are others than those that are needed")

// reopen opens the parts that are needed, all of them or none, and removes the
// others: parts that were made of a part are made again.
func (s *Stage) reopen(ctx context.Context, files []Sum, needed []bool) (parts []*Part, err error) {
	info, err := s.fs.Lstat(s.scratch.dir)
	if err == nil && (!info.IsDir() || len(needed) != len(files)) {
		err = errNoPart
	}
	names := map[string]bool{}
	for i := 0; i < len(files) && err == nil; i++ {
		var p *Part
		if names[files[i].Name] = needed[i]; needed[i] {
			p, err = s.reopenPart(ctx, &files[i])
		}
		parts = append(parts, p)
	}
	if err == nil {
		_, err = s.sweep(s.scratch.dir, ".", names, nil)
	}
	if err == nil {
		return parts, nil
	}
	for _, p := range parts {
		if p != nil {
			err = cmp.Or(err, p.close())
		}
	}
	return nil, err
}

// reopenPart opens a part that is as it was.
func (s *Stage) reopenPart(ctx context.Context, want *Sum) (*Part, error) {
	f, err := s.openSum(filepath.Join(s.scratch.dir, want.Name), want)
	if err != nil {
		return nil, err
	}
	if err := s.compare(ctx, f, want, XXH128, io.Discard); err != nil {
		f.Close() // the error that matters is in hand
		return nil, err
	}
	p := s.newPart(f)
	p.size, p.crc = want.Bytes, want.CRC32C
	return p, nil
}
