package manifests

import (
	"errors"
	"io"
	"testing"

	"github.com/rhysd/actionlint"
)

// TestWorkflow has actionlint look at the workflow of GitHub Actions: its keys, its
// expressions, and what it gives to actions.
func TestWorkflow(t *testing.T) {
	lint := func(text string) error {
		l, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
		if err != nil {
			return err
		}
		found, err := l.Lint("pets.yml", []byte(text), nil)
		for _, e := range found {
			err = errors.Join(err, e)
		}
		return err
	}
	for _, text := range blocks(t, "engines.md", "yaml", "runs-on:") {
		valid(t, text, "timeout-minutes", lint)
		valid(t, text, "go-version", lint)
		valid(t, text, "github.run_id", lint)
	}
}
