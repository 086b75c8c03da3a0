package pipeline

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"tfr-build/internal/plural"
	"tfr-build/schema"
	"tfr-build/sink"
	"tfr-build/sources"
)

// A Reject is a line of the file of rejects, a JSON object: a row that cannot be
// used, where it stands and why. Lines stand in source order. Of a row that is a
// file there is neither line nor text: the file is there to look at.
type Reject struct {
	Source    int    `json:"source"`                // its place in the config, from 0
	Name      string `json:"name"`                  // of the source
	File      string `json:"file"`                  // relative to the source's root
	FileBytes []byte `json:"file_base64,omitempty"` // the same, where it is not UTF-8
	Line      int    `json:"line,omitempty"`
	Offset    int64  `json:"offset"` // in the decompressed file
	Code      string `json:"code"`
	Column    string `json:"column,omitempty"`
	Feature   string `json:"feature,omitempty"`
	Message   string `json:"message"`
	Raw       string `json:"raw,omitempty"`        // the row's text
	RawBase64 []byte `json:"raw_base64,omitempty"` // the same, where it is not UTF-8
	Cut       bool   `json:"cut,omitempty"`        // the text is the beginning of a row that is longer than a row may be
}

// rejectsFile is where the rejects of the dataset stand.
func (j *job) rejectsFile() *sink.Beside {
	return &sink.Beside{Path: j.cfg.RejectsFile(j.output()), Ours: isRejects}
}

// rejectsInTheWay finds a file of others where rejects are to come, before a run
// has done its work.
func (j *job) rejectsInTheWay() error {
	if j.cfg.OnError != "quarantine" {
		return nil
	}
	_, err := j.rejectsFile().Check(j.run.FS)
	return err
}

// isRejects reports whether a file that begins with head is one of rejects: its
// first line is one, as far as it can be seen.
func isRejects(head []byte) bool {
	line, _, whole := bytes.Cut(head, []byte("\n"))
	if !whole {
		return bytes.HasPrefix(line, []byte(`{"source":`))
	}
	var r Reject
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	return dec.Decode(&r) == nil && r.Code != "" && r.File != ""
}

// placeRejects puts the rejects into their file, or takes an older file away
// where there are none, and returns the error of the first of them.
func (j *job) placeRejects(ctx context.Context, list []reject) (first *RowsError, err error) {
	file := j.rejectsFile()
	if j.cfg.OnError == "quarantine" && len(list) > 0 {
		err = j.stage.ReplaceBeside(ctx, file, func(w io.Writer) (err error) {
			first, err = j.writeRejects(ctx, w, list)
			return err
		})
		return first, err
	}
	if err := j.stage.RemoveBeside(file); err != nil || len(list) == 0 {
		return nil, err
	}
	return j.firstReject(ctx, list)
}

// writeRejects writes a line for each of the rejects, and returns the error of
// the first.
func (j *job) writeRejects(ctx context.Context, w io.Writer, list []reject) (first *RowsError, err error) {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	j.run.Progress.start("setting rows aside", int64(len(list)))
	err = j.eachReject(ctx, list, func(r *Reject, at sources.Place, bad *schema.RowError) error {
		if first == nil {
			first = rowsError(at, bad)
		}
		j.run.Progress.done(1, 0)
		return out.Encode(r)
	})
	return first, err
}

// eachReject reads the rows of list, which is in source order, once more and
// calls visit for each. A file of a table is cut from its beginning: that gives
// the lines, and the same message whatever the way of the build.
func (j *job) eachReject(ctx context.Context, list []reject, visit func(*Reject, sources.Place, *schema.RowError) error) error {
	w, err := j.newWorker()
	if err != nil {
		return err
	}
	defer w.close()
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].File == list[0].File {
			n++
		}
		if err := j.rejectsOf(ctx, w, list[:n], visit); err != nil {
			return err
		}
		list = list[n:]
	}
	return nil
}

// rejectsOf is eachReject for the rows of one file.
func (j *job) rejectsOf(ctx context.Context, w *worker, list []reject, visit func(*Reject, sources.Place, *schema.RowError) error) error {
	f := &j.files[list[0].File]
	s := f.source
	if !s.Spec().Kind.IsTable() {
		return j.rejected(w, &list[0], &sources.Record{}, visit)
	}
	s.SetChecks(f.local)
	rows, err := s.Rows(f.local)
	if err != nil {
		return err
	}
	defer rows.Close()
	for i := range list {
		rec, err := rows.Seek(ctx, list[i].Offset)
		if err != nil {
			return err
		}
		if err := j.rejected(w, &list[i], rec, visit); err != nil {
			return err
		}
	}
	return nil
}

// rejected reads a row that was rejected once more and calls visit with what is
// wrong with it.
func (j *job) rejected(w *worker, at *reject, rec *sources.Record, visit func(*Reject, sources.Place, *schema.RowError) error) error {
	f := &j.files[at.File]
	s := f.source
	bad := rec.Bad
	if bad == nil {
		err := j.judge(w, &row{file: at.File, offset: at.Offset, data: rec.Raw})
		switch {
		case err == nil: // the row is good now
			return j.changedInput()
		case !errors.As(err, &bad):
			return err
		}
	}
	place := s.Place(f.local, rec, bad)
	r := &Reject{
		Source: s.number, Name: s.Spec().Name, File: s.Files[f.local].Name, Line: place.Line, Offset: at.Offset,
		Code: bad.Code, Column: bad.Column, Feature: bad.Feature, Message: bad.Message,
	}
	if !utf8.ValidString(r.File) {
		r.FileBytes = []byte(r.File)
	}
	r.setRaw(rec.Raw, int(j.cfg.Limits.Record))
	return visit(r, place, bad)
}

// maxCut is how much is set aside of a row that is longer than a row may be.
const maxCut = 64 << 10

// setRaw gives r the text of its row, or the beginning of one that is longer than
// limit.
func (r *Reject) setRaw(text []byte, limit int) {
	text = bytes.TrimRight(text, "\r\n")
	if len(text) > limit {
		r.Cut = true
		text = wholeRunes(text[:min(limit, maxCut)])
	}
	if utf8.Valid(text) {
		r.Raw = string(text)
	} else {
		r.RawBase64 = text
	}
}

// wholeRunes is text without the part of a character that it may end in.
func wholeRunes(text []byte) []byte {
	for n := 1; n <= min(len(text), utf8.UTFMax); n++ {
		if last := text[len(text)-n:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				return text[:len(text)-n]
			}
			break
		}
	}
	return text
}

// tooMany is the error of a run that met more rejects than it may. What is known
// of them is put into their file, to look at; a plan puts nothing anywhere.
func (j *job) tooMany(ctx context.Context) error {
	list := j.allRejects(j.plans)
	text := fmt.Sprintf("more than %s cannot be used, which is what max_errors allows", plural.Of(j.rejects.most.Load(), "row"))
	if j.rejects.most.Load() == 0 {
		text = "a row cannot be used, and max_errors allows none"
	}
	e := &TooManyError{Text: text}
	if j.cfg.OnError == "quarantine" && j.stage != nil {
		first, err := j.placeRejects(ctx, list)
		if err != nil {
			return errors.Join(e, err)
		}
		e.File = j.rejectsFile().Path
		return errors.Join(e, first)
	}
	first, err := j.firstReject(ctx, list)
	if err != nil {
		return err
	}
	return errors.Join(e, first)
}

// firstReject is the error of the first of the rejects.
func (j *job) firstReject(ctx context.Context, list []reject) (first *RowsError, err error) {
	err = j.eachReject(ctx, list[:1], func(_ *Reject, at sources.Place, bad *schema.RowError) error {
		first = rowsError(at, bad)
		return nil
	})
	return first, err
}

// leftOut says which rows were left out of a finished dataset; nil if none was.
func (j *job) leftOut(list []reject, first *RowsError) *Rejected {
	if len(list) == 0 {
		return nil
	}
	r := &Rejected{First: first, Counts: map[string]int64{}}
	for i := range list {
		r.Counts[list[i].code]++
	}
	if j.cfg.OnError == "quarantine" {
		r.File = j.rejectsFile().Path
	}
	return r
}

// Rejected is what is told of rows that were left out: the first of them, and
// their number by code.
type Rejected struct {
	First  *RowsError
	Counts map[string]int64
	File   string // where they are; empty where they were not kept
}

// Text says it in a sentence: `3 rows left out: CSV_RAGGED 2, INT_SYNTAX 1`.
func (r *Rejected) Text() string {
	n := int64(0)
	for _, of := range r.Counts {
		n += of
	}
	return plural.Of(n, "row") + " left out: " + reasons(r.Counts)
}
