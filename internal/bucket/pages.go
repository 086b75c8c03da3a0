package bucket

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/minio/minio-go/v7"
)

// pageSize is how many names a store gives with one answer.
const pageSize = 1000

// errEnough ends a listing of pages.
var errEnough = errors.New("enough")

// A lister asks for the names below a prefix, page by page.
type lister struct {
	c      *Client
	u      URL
	levels bool   // whether what follows a slash is one name
	last   string // that was visited
}

// pages calls visit with the names in byte order, as many as one answer has. A
// failed request is repeated from where the listing was.
func (l *lister) pages(ctx context.Context, visit func([]Entry) error) error {
	if l.c.stores[l.u.Scheme] == nil {
		return fmt.Errorf("listing %s: it is in no store", l.u)
	}
	t := l.c.tries("listing", l.u)
	var ended error // visit's, which is no error of the store
	err := t.do(ctx, func(ctx context.Context, s *store, a *attempt) error {
		return l.from(ctx, s, a, func(page []Entry) bool {
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

// from visits the pages after l.last. minio-go gives names, not pages: a page
// ends where it makes another request.
func (l *lister) from(ctx context.Context, s *store, a *attempt, visit func([]Entry) bool) error {
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
		if name.Key > l.last || l.last == "" { // a folder that was visited is given again
			page = append(page, l.entry(name))
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx) // minio-go ends without a word
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

// isMark reports whether an object stands for a folder: some tools make one.
func (e *Entry) isMark() bool { return !e.IsDir && e.Size == 0 && strings.HasSuffix(e.Key, "/") }
