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

// A log is standard error. Errors in writing it are ignored: there is no other
// place to report them.
type log struct {
	mu      sync.Mutex
	w       io.Writer
	asJSON  bool
	colored bool
	quiet   bool           // prints errors and the number of skipped rows only
	clear   func()         // removes the progress bar from the line; nil without a bar
	config  *config.Config // of the command, which has the features that messages are about; nil for none
	folders
}

func newLog(w io.Writer, asJSON bool) *log {
	return &log{w: w, asJSON: asJSON, colored: isColored(w), folders: workingFolders()}
}

// say says m, an error if it has no level.
func (l *log) say(m message) {
	if m.Level == "" {
		m.Level = failure
	}
	if l.quiet && m.Level != failure && len(m.Rejected) == 0 {
		return
	}
	if m.Config = l.featureOf(&m); m.Config != nil {
		m.Config.File = printable(l.path(m.Config.File))
	}
	m.File = printable(l.path(m.File))
	m.Hint = l.shorten(m.Hint)
	if !m.quotes {
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

func (l *log) warn(text string) { l.say(message{Level: warning, Text: text}) }

// badRow warns of an invalid row.
func (l *log) badRow(err error) {
	m := errorMessage(err)
	m.Level = warning
	l.say(m)
}

func (l *log) inform(text string) { l.say(message{Level: news, Text: text}) }

// lines writes lines that are no message, for somebody who sits at a terminal.
func (l *log) lines(list []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = io.WriteString(l.w, strings.Join(list, "\n")+"\n")
}

// folders are the names of the working directory: its own, and the one that
// links lead to, as paths may have either. Paths below it are shown relative to
// it.
type folders []string

func workingFolders() folders {
	dir, err := os.Getwd()
	if err != nil || dir == "/" {
		return nil
	}
	list := folders{dir}
	if real, err := filepath.EvalSymlinks(dir); err == nil && real != dir && real != "/" {
		list = append(list, real)
	}
	return list
}

// path is path, as short as it can be.
func (f folders) path(path string) string {
	for _, dir := range f {
		if rest, ok := strings.CutPrefix(path, dir+"/"); ok && rest != "" {
			return rest
		}
	}
	return path
}

// shorten is text with the paths in it as short as they can be. A path begins
// where a word does.
func (f folders) shorten(text string) string {
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
