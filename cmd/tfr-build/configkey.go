package main

import (
	"fmt"

	"tfr-build/internal/excerpt"
	"tfr-build/pipeline/config"
	"tfr-build/sources/input"
)

// A configKey is a line of a config that a message about another file refers to.
type configKey struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Col     int    `json:"col"`
	excerpt excerpt.Excerpt
	what    string // feature or input
}

func (k *configKey) position() string { return fmt.Sprintf("%s:%d:%d", k.File, k.Line, k.Col) }

// keyOf returns the line of the config with what m is about: a feature, or an input. It is nil if m
// is about neither, or about the config itself, or if two features have the name.
func (l *log) keyOf(m *message) *configKey {
	if l.config == nil || m.File == l.config.File {
		return nil
	}
	what := "feature"
	var keys []input.KeyPosition
	for _, f := range l.config.AllFeatures() {
		if m.Feature != "" && f.Key == m.Feature {
			keys = append(keys, config.KeyPositionOf(l.config, f))
		}
	}
	if p, ok := l.config.InputKey(m.File); len(keys) != 1 && ok && m.isInput {
		what, keys = "input", []input.KeyPosition{p}
	}
	if len(keys) != 1 {
		return nil
	}
	return &configKey{keys[0].Path, keys[0].Line, keys[0].Col, keys[0].Excerpt, what}
}
