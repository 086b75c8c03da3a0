package text

import (
	"fmt"
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
	m := input.Match{Certainty: input.Possible}
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

// revise skips empty lines, if there are any.
func revise(r *input.Reading) *input.Revision {
	if r.Blank == 0 || r.Has("skip_blank") {
		return nil
	}
	return &input.Revision{Option: input.Option{Name: "skip_blank", Value: true,
		Note: fmt.Sprintf("%s of %d without text", plural.Of(r.Blank, "line"), r.Rows)}}
}
