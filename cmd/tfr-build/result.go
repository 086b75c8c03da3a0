package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"

	"tfr-build/pipeline"
)

// facts are the fields of a JSON object on standard output. With -log-format json every result is
// an object, and a command ends with one that has its exit code.
type facts map[string]any

// Outcomes that all commands have.
const (
	failed  = "failed"
	stopped = "interrupted"
)

// printResult prints a line of a command. It prints the text, or the facts, if any, as an object. If
// the command writes files, they are its result, and errors are ignored: the exit code says that the
// work is done.
func (c *call) printResult(f facts, format string, args ...any) {
	out := io.Writer(c.stdout)
	if c.cmd.writes {
		out = c.stdout.w
	}
	switch {
	case c.log.asJSON && c.quiet:
		c.last = f
	case c.quiet || c.log.asJSON && f == nil:
	case c.log.asJSON:
		printObject(out, f)
	default:
		_, _ = fmt.Fprintf(out, format, args...)
	}
}

func printObject(out io.Writer, f facts) {
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(f)
}

// printOutcome prints the last object of a command: its result with its exit code. Commands that
// print records have none, and neither has a help text.
func (c *call) printOutcome(err error, code int) {
	if !c.log.asJSON || c.prints {
		return
	}
	f := facts{}
	if is[*interrupted](err) { // the command may be writing its outcome at this time
		f["result"] = stopped
	} else {
		maps.Copy(f, c.outcome)
	}
	if f["result"] == nil {
		if err == nil {
			if c.last != nil {
				printObject(c.stdout.w, c.last)
			}
			return
		}
		f["result"] = failed
	}
	f["exit"] = code
	printObject(c.stdout.w, f)
}

// datasetFacts returns the facts about a dataset that is up to date. "bytes" is the size of the
// shards.
func (c *call) datasetFacts(r *pipeline.Result) facts {
	type split struct {
		Name    string `json:"name"`
		Records int64  `json:"records"`
		Shards  int    `json:"shards"`
	}
	splits, size := []split{}, sizeOf(r.Manifest)
	for _, s := range r.Manifest.Splits {
		splits = append(splits, split{s.Name, s.Records, len(s.Shards)})
	}
	output := c.shown(r.Output)
	f := facts{
		"output": output, "up_to_date": r.UpToDate, "digest": r.Digest,
		"splits": splits, "records": size.records, "shards": size.shards, "bytes": size.bytes,
		"rejected": r.Manifest.Counts().Rejected, "report": reportPath(output),
	}
	if found := r.Manifest.Findings; len(found) > 0 {
		f["findings"] = found
	}
	if left := r.Manifest.Skipped(); left != nil {
		f["left_out"] = left
	}
	return f
}

// planFacts returns the facts about a plan.
func (c *call) planFacts(p *pipeline.Plan) facts {
	notes := []string{}
	for _, note := range p.Notes {
		notes = append(notes, c.log.shorten(note))
	}
	f := facts{
		"result": "planned", "output": c.shown(p.Output), "order": p.Order, "rows": p.Rows, "inputs": p.Inputs,
		"spills": p.Spills, "splits": p.Splits, "notes": notes,
	}
	if p.Strata != nil {
		f["stratified"] = p.Strata
	}
	if p.Skipped != nil {
		f["found"], f["left_out"] = p.Found, p.Skipped
	}
	return f
}
