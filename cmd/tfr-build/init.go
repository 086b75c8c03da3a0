package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"tfr-build/internal/exit"
	"tfr-build/pipeline/config"
	"tfr-build/pipeline/infer"
	"tfr-build/sources/files"
)

var initCommand = &command{
	name: "init", meant: "new infer generate", group: buildGroup, about: "write a config for your files",
	least: 1, most: unlimited, needs: "files", operand: oneFile, writes: true, run: initialize,
	flags: "output force workers retry quiet log-format",
	means: map[string]flagMeaning{"output": {oneFile,
		"write the config to FILE; its paths are relative to the directory of FILE, and its output is ./out in the " +
			"current directory (default: standard output)"}},
	synopsis: []string{"init [flags] PATH..."},
	text: `Samples your files and writes a starter config. Comments explain each choice
and list what was skipped, and the first one says if the files were sampled. If
the directory of the config has a config.schema.json, which tfr-build schema
prints, the config names it for editors.

PATH is a file, a directory, a pattern, or a range, such as
'train-{000..010}.tar'. These are recognized: CSV, JSON Lines, Parquet, text,
arrays (.npy, .npz, IDX), COCO, TFRecord, OFRecord, ArrayRecord, tar and zip
archives, and directories of images or other files.`,
}

func initialize(ctx context.Context, c *call) error {
	dir, path := ".", ""
	if c.Output != "" && c.Output != standard {
		var err error
		if path, err = c.target(c.Output, "--force replaces it; -o names another file"); err != nil {
			return err
		}
		if err = checkForce(path, c.Output); err != nil {
			return err
		}
		dir = filepath.Dir(path)
	}
	storage := openStorage(ctx, c, nil)
	defer storage.Close()
	sys := files.New(ctx, storage)
	defer sys.Close()
	made, err := infer.Inspect(ctx, c.operands, infer.Options{System: sys, Dir: dir, Out: ".", Workers: c.Workers})
	if err != nil {
		return err
	}
	made.Text = append([]byte(schemaLine(dir)), made.Text...)
	if path == "" {
		err = printConfig(c, made)
	} else if err = writeConfig(c, made, path); err == nil {
		c.printResult(nil, "wrote %s\n", c.shown(c.Output))
	}
	if err == nil {
		printNext(c, made)
	}
	return err
}

// schemaURL is the URL of the JSON Schema of a published release. A linker flag sets it.
var schemaURL string

// schemaName is the name of the JSON Schema next to configs.
const schemaName = "config.schema.json"

// schemaLine returns the line that tells editors the JSON Schema of a config in dir: the file in
// dir, otherwise the published one. It is empty if neither exists.
func schemaLine(dir string) string {
	schema := schemaURL
	if _, err := os.Stat(filepath.Join(dir, schemaName)); err == nil {
		schema = schemaName
	}
	if schema == "" {
		return ""
	}
	return "# yaml-language-server: $schema=" + schema + "\n"
}

// checkForce refuses to replace a file that is not named like a config: it may be the input.
func checkForce(path, shown string) error {
	ext := filepath.Ext(path)
	if _, err := os.Stat(path); err != nil || ext == ".yaml" || ext == ".yml" {
		return nil
	}
	return &commandError{exit.InWay, shown, "it exists and is not named .yaml or .yml", "-o names another file"}
}

func printConfig(c *call, made *infer.Config) error {
	if c.log.asJSON {
		c.outcome = facts{"result": "written", "name": made.Name, "config": string(made.Text)}
		return nil
	}
	_, err := c.stdout.Write(made.Text)
	return err
}

func writeConfig(c *call, made *infer.Config, path string) error {
	err := replaceFile(path, made.Text)
	c.outcome = facts{"result": "wrote", "path": c.shown(c.Output), "name": made.Name}
	return err
}

// printNext prints the commands to type next, if standard error is a terminal.
func printNext(c *call, made *infer.Config) {
	if !isTerminal(c.log.w) || c.log.asJSON || c.quiet {
		return
	}
	c.log.writeLines(append([]string{"", "next:"}, nextLines(c.words, c.Output, made.Name)...))
}

// nextLines returns the commands to type after init with words. If the config was printed, it must
// first be written to a file.
func nextLines(words []word, out, name string) (list []string) {
	if out == "" || out == standard {
		out = name + ".yaml"
		list = append(list, commandText(words, "output")+" -o "+shellWord(out))
	}
	return append(list, "tfr-build try "+shellWord(out), "tfr-build "+shellWord(out))
}

// A featuresError is the error of a config without features, with the block that init would write
// for its sources.
type featuresError struct {
	error
	block string
}

func (e *featuresError) Unwrap() error { return e.error }

// withFeatures adds the features that init finds to the error of a config without features. If init
// finds none, the error is returned as it is.
func withFeatures(ctx context.Context, c *call, err error) error {
	var p *config.Problems
	if c.loaded == nil || !errors.As(err, &p) || len(c.loaded.AllFeatures()) > 0 || c.loaded.Root() != "features" {
		return err
	}
	storage := openStorage(ctx, c, c.loaded)
	defer storage.Close()
	sys := files.New(ctx, storage)
	defer sys.Close()
	block, problem := infer.Features(ctx, c.loaded, sys, c.Workers)
	if problem != nil {
		return err
	}
	return &featuresError{err, block}
}
