package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"tfr-build/pipeline/config"
)

// A log writes messages to standard error. Errors in writing are ignored: they cannot be reported
// elsewhere.
type log struct {
	mu      sync.Mutex
	w       io.Writer
	asJSON  bool
	colored bool
	quiet   bool           // prints only errors and the number of skipped rows
	clear   func()         // removes the progress bar from the line; nil without a bar
	config  *config.Config // has the features that messages are about; nil without a config
	workingDirs
}

func newLog(w io.Writer, asJSON bool) *log {
	return &log{w: w, asJSON: asJSON, colored: isColored(w), workingDirs: findWorkingDirs()}
}

// write writes m. It is an error if it has no level.
func (l *log) write(m message) {
	if m.Level == "" {
		m.Level = failure
	}
	if l.quiet && m.Level != failure && len(m.Rejected) == 0 {
		return
	}
	if m.Config = l.keyOf(&m); m.Config != nil {
		m.Config.File = printable(l.path(m.Config.File))
	}
	m.File = printable(l.path(m.File))
	m.Hint = l.shorten(m.Hint)
	if !m.quotesData {
		m.Text = l.shorten(m.Text)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.clear != nil {
		l.clear()
	}
	if !l.asJSON {
		_, _ = io.WriteString(l.w, l.text(&m))
		return
	}
	m.Time = time.Now().UTC().Format(time.RFC3339Nano)
	encoder := json.NewEncoder(l.w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(&m)
}

func (l *log) warn(text string) { l.write(message{Level: warning, Text: text}) }

// badRow warns about an invalid row.
func (l *log) badRow(err error) {
	m := errorMessage(err)
	m.Level = warning
	l.write(m)
}

func (l *log) inform(text string) { l.write(message{Level: infoLevel, Text: text}) }

// shown returns a path as short as possible, for a result.
func (c *call) shown(path string) string { return printable(c.log.path(path)) }

// writeLines writes lines that are not messages, for a user at a terminal.
func (l *log) writeLines(list []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = io.WriteString(l.w, strings.Join(list, "\n")+"\n")
}

// workingDirs are the names of the working directory: its own name, and the name without links, as
// paths may have either. Paths in it are shown relative to it.
type workingDirs []string

func findWorkingDirs() workingDirs {
	dir, err := os.Getwd()
	if err != nil || dir == "/" {
		return nil
	}
	list := workingDirs{dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir && real != "/" {
		list = append(list, real)
	}
	return list
}

// path returns a path as short as possible.
func (f workingDirs) path(path string) string {
	for _, dir := range f {
		if rest, ok := strings.CutPrefix(path, dir+"/"); ok && rest != "" {
			return rest
		}
	}
	return path
}

// shorten returns text with its paths as short as possible. A path begins at the beginning of a
// word.
func (f workingDirs) shorten(text string) string {
	for _, dir := range f {
		var b strings.Builder
		for rest := text; ; {
			before, after, found := strings.Cut(rest, dir+"/")
			b.WriteString(before)
			if !found {
				break
			}
			if done := b.String(); done != "" && !strings.ContainsAny(done[len(done)-1:], " \"'(=") {
				b.WriteString(dir + "/")
			}
			rest = after
		}
		text = b.String()
	}
	return text
}
