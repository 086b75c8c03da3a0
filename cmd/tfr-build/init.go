package main

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"tfr-build/internal/vfs"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/infer"
	"tfr-build/sources/files"
)

var initCommand = &command{
	name: "init", about: "look at files and write a config",
	most: anyNumber, operand: fileOperand, writes: true, run: initialize,
	flags: []string{"o", "workers", "retry", "quiet", "log-format"},
	usage: `usage: tfr-build init [flags] PATH...

Looks at files and writes the config of a dataset of them: tables of CSV, JSON
lines, text, arrays (.npy, .npz, IDX), TFRecord, OFRecord and ArrayRecord
files, or a folder of images or of any files. PATH may be a pattern or have a
range, such as 'train-{000..010}.tar'. What each choice goes by stands
behind it as a comment, and so does what was left out and why. Small files are
read whole; of large ones a sample is, and the first line of the config says
so.

flags:
  -o OUT                write to OUT, which must not be there; paths in it are
                        relative to its folder, and its output is below ./out
                        of the current folder (standard output)
  -workers N            list N folders at once (the CPUs there are)
  -retry TIME           repeat failed requests to a store for TIME, such as 90s
                        or 20m; 0 disables retries (5m)
  -quiet                say nothing but errors
  -log-format FORMAT    text, or json: an object a line (text)
`,
}

func initialize(ctx context.Context, c *call) error {
	if len(c.operands) == 0 {
		return usagef("tfr-build help init", "init: which files? Name them, or their folder")
	}
	dir, path := ".", ""
	if c.out != "" && c.out != standard {
		var err error
		if path, err = c.target(c.out); err != nil {
			return notReplaced(err)
		}
		dir = filepath.Dir(path)
	}
	sys := files.New(ctx, c.stores(nil))
	defer sys.Close()
	made, err := infer.Look(ctx, c.operands, infer.Options{System: sys, Dir: dir, Out: ".", Workers: c.workers})
	if err != nil {
		return err
	}
	if path == "" {
		err = printConfig(c, made)
	} else if err = writeConfig(c, made, path); err == nil {
		c.tell(nil, "wrote %s\n", printable(c.log.path(c.out)))
	}
	if err == nil {
		sayNext(c, made)
	}
	return err
}

// notReplaced is err without the hint to flags that init has not.
func notReplaced(err error) error {
	if there := new(inWayError); errors.As(err, &there) {
		there.hint = "-o names another one; init replaces nothing"
	}
	return err
}

func printConfig(c *call, made *infer.Config) error {
	if c.log.asJSON {
		c.came = facts{"result": "written", "name": made.Name, "config": string(made.Text)}
		return nil
	}
	_, err := c.stdout.Write(made.Text)
	return err
}

func writeConfig(c *call, made *infer.Config, path string) error {
	err := vfs.WriteFile(vfs.OS(), path, func(w io.Writer) error {
		_, err := w.Write(made.Text)
		return err
	})
	c.came = facts{"result": "wrote", "path": printable(c.log.path(c.out)), "name": made.Name}
	return err
}

// sayNext says what to type next, to somebody who sits at a terminal.
func sayNext(c *call, made *infer.Config) {
	if f, ok := c.log.w.(*os.File); !ok || !isTerminal(f) || c.log.asJSON || c.quiet {
		return
	}
	c.log.lines(append([]string{"", "next:"}, nextLines(c.args, c.out, made.Name)...))
}

// nextLines are the commands that follow init, which was called with args. A config
// that was printed has no file yet.
func nextLines(args []string, out, name string) []string {
	var list []string
	if out == "" || out == standard {
		out = name + ".yaml"
		words := []string{"tfr-build"}
		for _, arg := range args {
			if arg != "-o" && arg != standard {
				words = append(words, shellWord(arg))
			}
		}
		list = append(list, strings.Join(words, " ")+" -o "+shellWord(out))
	}
	return append(list, "tfr-build try "+shellWord(out), "tfr-build "+shellWord(out))
}

// A featuresError is the fault of a config without features, with the block that init
// would write for its sources.
type featuresError struct {
	error
	block string
}

func (e *featuresError) Unwrap() error { return e.error }

// withFeatures adds to the fault of a config without features those that init finds.
// Where it finds none the fault is said as it is.
func withFeatures(ctx context.Context, c *call, err error) error {
	var p *config.Problems
	if c.loaded == nil || !errors.As(err, &p) || len(c.loaded.AllFeatures()) > 0 || c.loaded.Root() != "features" {
		return err
	}
	sys := files.New(ctx, c.stores(c.loaded))
	defer sys.Close()
	block, fault := infer.Features(ctx, c.loaded, sys, c.workers)
	if fault != nil {
		return err
	}
	return &featuresError{err, block}
}
