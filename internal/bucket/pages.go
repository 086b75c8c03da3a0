package bucket

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/minio/minio-go/v7"
)

// pageSize is the number of names per answer of a store.
const pageSize = 1000

// errEnough ends a listing early.
var errEnough = errors.New("enough")

// A lister lists the names below a prefix, page by page.
type lister struct {
	c      *Client
	u      URL
	levels bool   // list one level; else all objects below it
	last   string // key that was visited last
}

// eachPage calls visit with the names in byte order, one answer at a time. A failed request is
// repeated from the last visited name on.
func (l *lister) eachPage(ctx context.Context, visit func([]Entry) error) error {
	t := l.c.tries("listing", l.u)
	var ended error // of visit, which must not be retried
	err := t.do(ctx, func(ctx context.Context, s *store, a *attempt) error {
		return l.eachPageFrom(ctx, s, a, func(page []Entry) bool {
			t.progress()
			ended = visit(page)
			return ended == nil
		})
	})
	if ended != nil {
		return ended
	}
	return err
}

// eachPageFrom visits the pages after l.last. minio-go returns single names: a page ends when it
// makes another request.
func (l *lister) eachPageFrom(ctx context.Context, s *store, a *attempt, visit func([]Entry) bool) error {
	no := false
	names := s.ListObjectsIter(ctx, l.u.Bucket, minio.ListObjectsOptions{
		Prefix: l.u.Key, Recursive: !l.levels, StartAfter: l.last, MaxKeys: pageSize, FetchOwner: &no,
	})
	var page []Entry
	requests := 0
	for name := range names {
		if name.Err != nil || a.requests != requests {
			if !l.visit(page, visit) {
				return nil
			}
			page = nil
		}
		if name.Err != nil {
			return name.Err
		}
		requests = a.requests
		if name.Key > l.last || l.last == "" { // stores return the last visited directory again
			page = append(page, l.entry(name))
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx) // minio-go ends without an error
	}
	l.visit(page, visit)
	return nil
}

func (l *lister) visit(page []Entry, visit func([]Entry) bool) bool {
	if len(page) == 0 {
		return true
	}
	slices.SortFunc(page, func(a, b Entry) int { return cmp.Compare(a.Key, b.Key) })
	l.last = page[len(page)-1].Key
	return visit(page)
}

func (l *lister) entry(name minio.ObjectInfo) Entry {
	e := Entry{Object: toObject(name)}
	e.IsDir = l.levels && strings.HasSuffix(e.Key, "/") && e.Key != l.u.Key
	e.Name = strings.TrimSuffix(e.Key, "/")
	e.Name = e.Name[strings.LastIndexByte(e.Name, '/')+1:]
	return e
}

// isDirMarker reports whether an object represents a directory: some tools write one.
func (e *Entry) isDirMarker() bool { return !e.IsDir && e.Size == 0 && strings.HasSuffix(e.Key, "/") }
