package dataset

import (
	"fmt"

	"tfr-build/message"
)

// This file prints an ExampleListWithContext, which programs send to models. No dataset has such
// records.

// isExampleList reports whether a payload is a list of Examples.
func isExampleList(kind message.Kind) bool { return kind == message.ListWithContext }

// indent returns additional indentation for the features of an Example in a list.
func (s *printer) indent() string {
	if isExampleList(s.kind) {
		return "  "
	}
	return ""
}

// printExamples prints the Examples of a list, each with a title.
func (s *printer) printExamples(payload []byte) (err error) {
	n := 0
	message.EachExample(payload, func(isContext bool, example []byte) {
		title := "context"
		if !isContext {
			title = fmt.Sprintf("example %d", n)
			n++
		}
		if err != nil || n > maxShownSteps && !isContext {
			return
		}
		if _, err = fmt.Fprintf(s.w, "  %s\n", title); err == nil {
			err = s.read.Read(message.Example, example)
		}
		if err == nil {
			err = s.printFeatures()
		}
	})
	if err == nil && n > maxShownSteps {
		_, err = fmt.Fprintf(s.w, "  … %d examples\n", n)
	}
	return err
}

// printPlainExamples prints a list of Examples and their context. If there are several contexts,
// the last one counts.
func (s *printer) printPlainExamples(payload []byte) (err error) {
	put := func(text string) {
		if err == nil {
			_, err = s.w.WriteString(text)
		}
	}
	show := func(example []byte) {
		if err == nil {
			err = s.read.Read(message.Example, example)
		}
		if err == nil {
			err = s.read.WritePlain(s.w, s.style)
		}
	}
	var context []byte
	message.EachExample(payload, func(isContext bool, example []byte) {
		if isContext {
			context = example
		}
	})
	put(`{"context":`)
	show(context)
	put(`,"examples":[`)
	n := 0
	message.EachExample(payload, func(isContext bool, example []byte) {
		if isContext {
			return
		}
		if n++; n > 1 {
			put(",")
		}
		show(example)
	})
	put("]}")
	return err
}
