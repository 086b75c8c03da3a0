package main

import (
	"fmt"
	"os"
	"regexp"
)

const (
	guide     = "docs/how-to/read/readers.md" // how each consumer opens a dataset
	tablePage = "docs/reference/readers.md"   // the page with the table
	guideLink = "../how-to/read/readers.md"   // the guide, in a link of that page
)

// A block is what stands under the heading of a consumer: code, and what it prints.
type block struct {
	code, shown string
}

var guideBlock = regexp.MustCompile("(?ms)^## ([^\n]+)$|^```(?:python|rust|js)\n(.*?)^```\n```text\n(.*?)^```$")

// readBlocks returns the blocks of the guide by heading. There is one under each.
func readBlocks(path string) (map[string]block, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	blocks := map[string]block{}
	heading := ""
	for _, m := range guideBlock.FindAllStringSubmatch(string(text), -1) {
		if m[1] != "" {
			heading = m[1]
			continue
		}
		if _, ok := blocks[heading]; ok {
			return nil, fmt.Errorf("%s: %q has two blocks, want one", path, heading)
		}
		blocks[heading] = block{m[2], m[3]}
	}
	return blocks, nil
}
