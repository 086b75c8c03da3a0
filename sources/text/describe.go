package text

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"tfr-build/internal/plural"
	"tfr-build/sources/charset"
	"tfr-build/sources/input"
)

// Describe describes the source type.
func Describe() *input.Description {
	return &input.Description{
		Reads: "text", Noun: "text", Rows: input.Cells, AnyLine: true,
		Recognize: recognize, Revise: revise,
	}
}

// recognize accepts all text in UTF-8. It is the type of text that no other type recognizes.
func recognize(h *input.FileHead) input.Match {
	m := input.Match{Certainty: input.Possible, Notes: keyNote(h)}
	guess := charset.NewGuess(h.Bytes, h.Complete)
	switch {
	case guess.Problem != "":
		m.Problem = guess.Problem
	case guess.Encoding != charset.UTF8:
		name := strings.Replace(strings.ToUpper(guess.Encoding.String()), "LATIN-", "LATIN", 1)
		m.Problem = "text in " + name + " without columns; lines of text are read in UTF-8: iconv -f " + name +
			" -t UTF-8 OLD > NEW converts it"
	}
	return m
}

// numbered matches words with digits.
var numbered = regexp.MustCompile(`\w*\d\w*`)

// keyNote says how to read lines that begin with different keys of one form, such as 1020-120001-0000; empty for
// others.
func keyNote(h *input.FileHead) []string {
	const several = 10
	keys, form := map[string]bool{}, ""
	list := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(h.Bytes), "\r\n", "\n")), "\n")
	for _, line := range list[:len(list)-1] { // the last one may be cut off
		key, _, hasText := strings.Cut(line, " ")
		own := numbered.ReplaceAllString(key, "0")
		if form = cmp.Or(form, own); !hasText || keys[key] || own != form {
			return nil
		}
		keys[key] = true
	}
	if len(keys) < several {
		return nil
	}
	return []string{fmt.Sprintf("The first %d lines have different keys before a blank, such as %q. To make them a "+
		"column: `csv: {files: …, delimiter: \" \", header: false, columns: [key, text], rest: text}`.",
		len(keys), list[0])}
}

// revise skips empty lines, if there are any.
func revise(r *input.Reading) *input.Revision {
	if r.Blank == 0 || r.Has("skip_blank") {
		return nil
	}
	return &input.Revision{Option: input.Option{Name: "skip_blank", Value: true,
		Note: fmt.Sprintf("%s of %d without text", plural.Of(r.Blank, "line"), r.Rows)}}
}
