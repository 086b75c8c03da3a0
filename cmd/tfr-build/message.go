package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"tfr-build/arrayrecord"
	"tfr-build/dataset"
	"tfr-build/internal/bug"
	"tfr-build/internal/excerpt"
	"tfr-build/internal/nearest"
	"tfr-build/internal/store"
	"tfr-build/internal/version"
	"tfr-build/pipeline"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
	"tfr-build/sink"
	"tfr-build/sources/input"
	"tfr-build/tfrecord"
)

// A message is a message on standard error.
type message struct {
	Time    string `json:"time"`
	Level   string `json:"level"` // error, warning, or info
	Code    string `json:"code,omitempty"`
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Col     int    `json:"col,omitempty"`     // byte in a line of an input, character in a line of a config; from 1
	Key     string `json:"key,omitempty"`     // key of the config
	Column  string `json:"column,omitempty"`  // column of the input
	Feature string `json:"feature,omitempty"` // feature of the record
	Row     *int64 `json:"row,omitempty"`     // row of an array, from 0
	Record  *int64 `json:"record,omitempty"`  // record of a file of records, from 0
	Offset  *int64 `json:"offset,omitempty"`  // offset of that record in bytes
	Text    string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	Exit    int    `json:"exit,omitempty"`

	Block string `json:"block,omitempty"` // lines for the config

	// line of the feature, or of the input, in the config, unless File is the config
	Config *configKey `json:"config,omitempty"`

	// number of rows with this error; the message is about the first
	Rows     int64            `json:"rows,omitempty"`
	Rejected map[string]int64 `json:"rejected,omitempty"` // rows by code

	*progress

	excerpt excerpt.Excerpt

	quotesData bool // Text quotes data, so it is not shortened
	isInput    bool // the message is about the input File, not about a row of it
}

// Levels of messages.
const (
	failure   = "error"
	warning   = "warning"
	infoLevel = "info"
)

// levels has the name and the color of each level for people.
var levels = map[string]struct {
	name string
	color
}{failure: {"error", red}, warning: {"warning", yellow}, infoLevel: {"note", cyan}}

// messages returns the messages of err.
func messages(err error) []message {
	var stop *interrupted
	var problems *config.Problems
	switch {
	case err == nil:
		return nil
	case errors.As(err, &stop):
		m := message{Text: stop.Error()}
		if stop.resume != "" {
			m.Hint = "to resume: " + stop.resume
		}
		return append(messages(stop.err), m)
	}
	// Joined errors have one line each. An error of one line that wraps several errors is one
	// message.
	if joined, ok := err.(interface{ Unwrap() []error }); ok && strings.Contains(err.Error(), "\n") {
		var list []message
		for _, e := range joined.Unwrap() {
			list = append(list, messages(e)...)
		}
		return list
	}
	if own, ok := errors.AsType[*commandError](err); ok && own.text == "" {
		return nil
	}
	if !errors.As(err, &problems) {
		return []message{errorMessage(err)}
	}
	list := problemMessages(problems)
	if with := new(featuresError); errors.As(err, &with) && len(list) > 0 {
		last := &list[len(list)-1]
		last.Hint, last.Block = "tfr-build init would write:", with.block
	}
	return list
}

func problemMessages(p *config.Problems) []message {
	list := make([]message, len(p.List))
	for i, q := range p.List {
		list[i] = message{File: p.File, Line: q.Line, Col: q.Col, Key: q.Path, Text: q.Text, Hint: q.Hint,
			excerpt: q.Excerpt}
	}
	return list
}

// errorMessage returns the message of one error.
func errorMessage(err error) message {
	var (
		own     *commandError
		rows    *pipeline.RowsError
		many    *pipeline.TooManyError
		fit     *input.MismatchError
		in      *input.Error
		corrupt *tfrecord.CorruptError
		refused *arrayrecord.RefusedError
		line    *dataset.LineError
		found   *pipeline.ChecksError
		file    *pipeline.FileError
	)
	switch {
	case errors.As(err, &found) && found.Report == "":
		return message{Text: found.Error()}
	case errors.As(err, &found):
		return message{Text: found.Error(), Hint: "look at " + found.Report}
	case errors.As(err, &file):
		return fileMessage(file)
	case is[*bug.Error](err):
		return bugMessage(err)
	case errors.As(err, &own):
		return message{File: own.path, Text: own.text, Hint: own.hint}
	case errors.As(err, &rows):
		return rowsMessage(rows)
	case errors.As(err, &many):
		return tooManyMessage(many)
	case errors.As(err, &fit):
		return fitMessage(fit)
	case errors.As(err, &corrupt):
		return corruptMessage(corrupt)
	case errors.As(err, &refused):
		return message{File: refused.File, Record: &refused.Record, Offset: &refused.Offset, Text: refused.Reason}
	case errors.As(err, &line):
		return message{Code: line.Code, File: line.Path, Line: line.Line, Col: line.Col, Text: line.Text,
			Hint: line.Hint, excerpt: excerpt.At(line.JSON, line.Col-1, 0), quotesData: true}
	case errors.As(err, &in):
		return inputMessage(in)
	}
	return message{Text: err.Error(), Hint: hint(err)}
}

// fitMessage returns a message about the line of the config that names a missing column, or about
// the input.
func fitMessage(e *input.MismatchError) message {
	m := message{Code: e.Code, File: e.Path, Line: e.Line, Col: e.Col, Feature: e.Feature, Text: e.Text, Hint: e.Hint,
		excerpt: e.Excerpt, isInput: e.Line == 0}
	if at := e.Config; at.Path != "" {
		m.File, m.Line, m.Col, m.excerpt = at.Path, at.Line, at.Col, at.Excerpt
		separator := ": "
		if strings.HasPrefix(e.Text, "no column ") {
			separator = " has "
		}
		m.Text = e.Path + separator + e.Text
	}
	return m
}

func rowsMessage(e *pipeline.RowsError) message {
	m := message{Code: e.Code, File: e.Path, Line: e.Line, Col: e.Col, Column: e.Column, Feature: e.Feature,
		Text: e.Text, Hint: e.Hint, Rows: e.Rows, excerpt: e.Excerpt, quotesData: true}
	switch {
	case e.Row:
		m.Row = &e.Record
	case e.Binary:
		m.Record, m.Offset = &e.Record, &e.Offset
	}
	return m
}

// tooManyMessage returns a message that more rows are invalid than max_errors accepts, with the
// file that lists them.
func tooManyMessage(e *pipeline.TooManyError) message {
	m := message{Code: "MAX_ERRORS", Text: e.Text, Rejected: e.Counts}
	if e.File != "" {
		m.Hint = "look at " + e.File
	}
	return m
}

// rejectedMessages returns messages about the rows that are not in the finished dataset.
func rejectedMessages(r *pipeline.Rejected) []message {
	first := errorMessage(r.First)
	all := message{Rejected: r.Counts, Text: r.Text()}
	if r.File != "" {
		all.Hint = "look at " + r.File
	}
	first.Level, all.Level = warning, warning
	return []message{first, all}
}

// inputMessage returns a message about a file that cannot be read. The name of the file is only
// printed once, though the system's error often has it, too.
func inputMessage(in *input.Error) message {
	path, err := in.Path, in.Err
	if e, ok := err.(*fs.PathError); ok && (path == "" || path == e.Path) {
		path, err = e.Path, e.Err
	}
	m := message{Code: in.Code(), File: path, Text: err.Error(), Hint: in.Hint(), isInput: true}
	if m.Hint == "" {
		m.Hint = pathHint(m.Code, path)
	}
	return m
}

// plainVariable matches a variable as shells write it.
var plainVariable = regexp.MustCompile(`\$[A-Za-z_]\w*`)

// pathHint returns the hint for a path that cannot be read.
func pathHint(code, path string) string {
	variable := plainVariable.FindString(path)
	switch {
	case code == "INPUT_CHANGED":
		return "run again when no other program writes to it"
	case code == "NOT_REGULAR":
		return "store a stream in a file first; DIR/* are the files of a directory"
	case code != "NOT_FOUND":
		return ""
	case filepath.Base(path) == "-":
		return "store standard input in a file first"
	case variable != "":
		return "write ${" + variable[1:] + "} for the variable"
	case strings.Contains(path, `\`):
		return `separate directories by /, not by \`
	}
	return nearestHint(path)
}

// nearestHint returns the hint that names a file with a similar name next to a file that does not exist.
func nearestHint(path string) string {
	if strings.Contains(path, "://") {
		return ""
	}
	dir := filepath.Dir(path)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	base, ext := filepath.Base(path), filepath.Ext(path)
	var stems, others []string // of files with the extension, and names of other files
	for _, e := range entries {
		if stem, same := strings.CutSuffix(e.Name(), ext); same && ext != "" {
			stems = append(stems, stem)
		} else {
			others = append(others, e.Name())
		}
	}
	near := nearest.Of(strings.TrimSuffix(base, ext), stems)
	if near != "" {
		near += ext
	} else if near = nearest.Of(base, others); near == "" {
		return ""
	}
	return nearest.DidYouMean(filepath.Join(dir, near))
}

// bugMessage returns the message of a bug of this program, with what the developers need.
func bugMessage(err error) message {
	m := message{Text: err.Error()}
	if in := new(input.Error); errors.As(err, &in) {
		m = inputMessage(in)
	}
	m.Code = "INTERNAL"
	m.Hint = "this is a bug in tfr-build " + version.Program() + ", not an error in your data; " +
		"tfr-build explain " + m.Code + " says what to report"
	return m
}

// fileMessage returns the message of a file that cannot be made, with the setting that builds without it.
func fileMessage(e *pipeline.FileError) message {
	m := message{Text: e.Error()}
	if is[*bug.Error](e) {
		m = bugMessage(e)
		m.Hint = "; " + m.Hint
	}
	m.Feature, m.Hint = e.Feature, e.Without+" builds the dataset without this file"+m.Hint
	return m
}

func corruptMessage(e *tfrecord.CorruptError) message {
	m := message{File: e.File, Record: &e.Record, Offset: &e.Offset, Text: e.Reason}
	if e.Err != nil {
		m.Text += ": " + e.Err.Error()
	}
	return m
}

func damageMessage(dir string, d *dataset.DamageError) message {
	m := message{Code: "DAMAGE", File: store.Join(dir, d.File), Feature: d.Feature, Text: d.Reason,
		quotesData: d.Feature != ""}
	if d.Record != dataset.Unknown {
		m.Record, m.Offset = &d.Record, &d.Offset
	}
	return m
}

// cause returns err without the path and the system call.
func cause(err error) error {
	if e, ok := err.(*fs.PathError); ok {
		return e.Err
	}
	return err
}

// hint returns the flag or command that helps with err.
func hint(err error) string {
	few, path := new(pipeline.FewError), new(pipeline.BadPathError)
	switch {
	case errors.As(err, &path):
		return path.Hint
	case is[*sink.OutputError](err) && (errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS)),
		errors.Is(err, sink.ErrInTheWay):
		return "--output names another directory"
	case is[*sink.OutputError](err) && errors.Is(err, syscall.ENOSPC):
		return "free some space and run again: finished shards stay; --output names another directory"
	case errors.As(err, &few):
		return few.Hint()
	case errors.Is(err, sink.ErrDataset) && strings.Contains(err.Error(), "://"):
		return "--output names another one: in a bucket no dataset is replaced"
	case is[*sink.TakenError](err):
		return "wait for it to end; --takeover takes the output when nothing was finished for ten minutes"
	case errors.Is(err, sink.ErrDataset):
		return "--overwrite replaces it; --output names another directory"
	case errors.Is(err, sink.ErrUnknownStage):
		return "if a build left it and its lock is gone, remove it and run again; --output names another directory"
	case is[*pipeline.TasksError](err):
		return "tfr-build task status --work DIR shows their progress; tfr-build task clean --work DIR gives them up"
	case is[*pipeline.BrokenError](err):
		return "tfr-build task clean --config FILE --work DIR removes what the tasks made; " +
			"then plan again: tfr-build task plan --config FILE --work DIR"
	case is[*sink.LockedError](err):
		return "wait for it to end; two runs need two outputs"
	}
	return ""
}

// text returns m for people: a line, the line of the input that it is about, and its hint.
func (l *log) text(m *message) string {
	var b strings.Builder
	if position := m.position(); position != "" {
		b.WriteString(l.paint(bold, position+":") + " ")
	}
	level := levels[m.Level]
	b.WriteString(l.paint(level.color, level.name+":") + " " + m.subject() + printable(m.Text))
	if m.Code != "" {
		b.WriteString(" [" + m.Code + "]")
	}
	b.WriteByte('\n')
	writeExcerpt := func(e excerpt.Excerpt, line int, marked color) {
		b.WriteString(excerptText(e, line, widthOf(l.w, unknownColumns),
			func(marks string) string { return l.paint(marked, marks) }))
	}
	writeExcerpt(m.excerpt, m.Line, level.color)
	if key := m.Config; key != nil {
		b.WriteString(l.paint(bold, key.position()+":") + " the " + key.what + "\n")
		writeExcerpt(key.excerpt, key.Line, cyan)
	}
	if m.Hint != "" {
		b.WriteString(l.paint(cyan, "help:") + " " + printable(m.Hint) + "\n")
	}
	b.WriteString(m.Block)
	return b.String()
}

// position returns the file that the message is about, with the position in the file.
func (m *message) position() string {
	switch {
	case m.Row != nil:
		return fmt.Sprintf("%s: row %d", m.File, *m.Row)
	case m.Record != nil:
		return fmt.Sprintf("%s: record %d at byte %d", m.File, *m.Record, *m.Offset)
	case m.Line == 0:
		return m.File
	case m.Col == 0:
		return fmt.Sprintf("%s:%d", m.File, m.Line)
	}
	return fmt.Sprintf("%s:%d:%d", m.File, m.Line, m.Col)
}

// subject returns the column, the feature, or the key that the text is about.
func (m *message) subject() string {
	switch {
	case m.Column != "" && m.Feature != "":
		return fmt.Sprintf("column %s (feature %s): ", quote(m.Column), quote(m.Feature))
	case m.Column != "":
		return fmt.Sprintf("column %s: ", quote(m.Column))
	case m.Feature != "":
		return fmt.Sprintf("feature %s: ", quote(m.Feature))
	case m.Key != "":
		return m.Key + ": "
	}
	return ""
}

func quote(s string) string { return schema.Quote([]byte(s)) }

// printable returns s with escapes for control characters, characters that change the direction of
// text, and invalid UTF-8. The result is one line, reads as it is written, and does not affect a
// terminal.
func printable(s string) string {
	control := func(r rune) bool {
		return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == utf8.RuneError
	}
	if !strings.ContainsFunc(s, control) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if control(r) && (r != utf8.RuneError || size == 1) {
			quoted := strconv.Quote(s[:size])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return b.String()
}
