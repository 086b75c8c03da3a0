package pipeline

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"tfr-build/order"
	"tfr-build/schema"
)

// A reject is a row that cannot be used and is left out: where it stands, and
// why. The rest is found out when it is written down, by reading the row again.
type reject struct {
	order.Place
	code string
}

// rejects counts the rows that are left out, and keeps those that belong to no
// shard.
type rejects struct {
	count atomic.Int64
	most  atomic.Int64 // more of them end the run

	mu      sync.Mutex
	without []reject // rows without a split
}

// errTooMany says that more rows are rejected than the config allows.
var errTooMany = errors.New("more rows are rejected than max_errors allows")

// tolerant reports whether rows that cannot be used are left out.
func (j *job) tolerant() bool { return j.cfg.OnError != "fail" }

// reject notes a row that cannot be used for err; other errors it gives back. sh
// is the shard that lacks the row, nil where the row has no split.
func (j *job) reject(at order.Place, sh *shard, err error) error {
	var bad *schema.RowError
	switch {
	case !errors.As(err, &bad):
		return err
	case !j.tolerant():
		j.bad(at)
		return nil
	}
	r := reject{at, bad.Code}
	if sh != nil {
		sh.reject(r)
	} else {
		j.rejects.mu.Lock()
		j.rejects.without = append(j.rejects.without, r)
		j.rejects.mu.Unlock()
	}
	if j.rejects.count.Add(1) > j.rejects.most.Load() {
		return errTooMany
	}
	return nil
}

// bearRejects says how many rows may be left out, once their number is known;
// those that were left out before count.
func (j *job) bearRejects() error {
	if !j.tolerant() {
		return nil
	}
	j.rejects.most.Store(j.borne())
	if j.rejects.count.Load() > j.borne() {
		return errTooMany
	}
	return nil
}

// borne is how many of the rows that were found may be left out.
func (j *job) borne() int64 {
	rows := uint64(0)
	for i := range j.tally.sources {
		rows += uint64(j.tally.sources[i].Found)
	}
	return int64(min(j.cfg.MaxErrors.Of(rows), 1<<62))
}

// allRejects are the rows that were left out so far, in source order.
func (j *job) allRejects(plans []*splitPlan) []reject {
	j.rejects.mu.Lock()
	all := slices.Clone(j.rejects.without)
	j.rejects.mu.Unlock()
	for _, p := range plans {
		for _, sh := range p.files {
			all = append(all, sh.account.rejects...)
		}
	}
	sortRejects(all)
	return all
}

func sortRejects(list []reject) {
	slices.SortFunc(list, func(a, b reject) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Offset, b.Offset))
	})
}

// appendRejects writes rejects as they are kept with their shard: a line each,
// with the number of the file, the offset and the code.
func appendRejects(dst []byte, list []reject) []byte {
	for _, r := range list {
		dst = strconv.AppendInt(dst, int64(r.File), 10)
		dst = strconv.AppendInt(append(dst, ' '), r.Offset, 10)
		dst = append(append(append(dst, ' '), r.code...), '\n')
	}
	return dst
}

// parseRejects reads what appendRejects wrote.
func parseRejects(text []byte, files int) ([]reject, error) {
	var list []reject
	for line := range bytes.Lines(text) {
		words := bytes.Fields(line)
		if len(words) != 3 {
			return nil, fmt.Errorf("a reject reads %q", line)
		}
		file, err := strconv.Atoi(string(words[0]))
		offset, err2 := strconv.ParseInt(string(words[1]), 10, 64)
		if err = cmp.Or(err, err2); err != nil || file < 0 || file >= files {
			return nil, fmt.Errorf("a reject reads %q", line)
		}
		list = append(list, reject{order.Place{File: file, Offset: offset}, string(words[2])})
	}
	return list, nil
}
