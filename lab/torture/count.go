package main

import (
	"fmt"
	"strings"
	"time"
)

// A count is what came of the trials of a group: how many there were of each
// kind, and what was wrong.
type count struct {
	log      bool
	kinds    []string // in the order in which they were met
	of       map[string]int
	notes    []string
	failures []string
}

// add counts n of a kind.
func (c *count) add(kind string, n int) {
	if c.of == nil {
		c.of = map[string]int{}
	}
	if _, met := c.of[kind]; !met {
		c.kinds = append(c.kinds, kind)
	}
	c.of[kind] += n
}

// most keeps the largest n of a kind.
func (c *count) most(kind string, n int) { c.add(kind, max(0, n-c.of[kind])) }

// note adds a line to what is printed.
func (c *count) note(format string, args ...any) {
	c.notes = append(c.notes, fmt.Sprintf(format, args...))
}

// fail notes a failure.
func (c *count) fail(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	c.failures = append(c.failures, text)
	if c.log {
		fmt.Println("  FAILED", text)
	}
}

// maxTold is how many failures of a group are printed.
const maxTold = 20

func (c *count) print(name string, took time.Duration) {
	list := make([]string, 0, len(c.kinds)+1)
	for _, kind := range c.kinds {
		list = append(list, fmt.Sprintf("%d %s", c.of[kind], kind))
	}
	list = append(list, fmt.Sprintf("%d failures", len(c.failures)))
	fmt.Printf("%-10s %s (%.0f s)\n", name, strings.Join(list, ", "), took.Seconds())
	for _, note := range c.notes {
		fmt.Println("  " + note)
	}
	for i, text := range c.failures {
		if i == maxTold {
			fmt.Printf("  and %d more\n", len(c.failures)-maxTold)
			break
		}
		fmt.Println("  FAILED " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    "))
	}
}
