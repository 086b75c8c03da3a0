package main

import (
	"fmt"

	"tfr-build/internal/excerpt"
	"tfr-build/pipeline/config"
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
// is about neither.
func (l *log) keyOf(m *message) *configKey {
	if key := l.featureOf(m); key != nil || l.config == nil || !m.isInput {
		return key
	}
	p, ok := l.config.InputKey(m.File)
	if !ok {
		return nil
	}
	return &configKey{p.Path, p.Line, p.Col, p.Excerpt, "input"}
}

// featureOf returns the line of the config with the feature that m is about. It is nil if m is
// about no feature, or about the config itself, or if two features have the name.
func (l *log) featureOf(m *message) *configKey {
	if l.config == nil || m.Feature == "" || m.File == l.config.File {
		return nil
	}
	var found *config.Feature
	for _, f := range l.config.AllFeatures() {
		if f.Key == m.Feature && found != nil {
			return nil
		}
		if f.Key == m.Feature {
			found = f
		}
	}
	if found == nil {
		return nil
	}
	p := config.KeyPositionOf(l.config, found)
	return &configKey{p.Path, p.Line, p.Col, p.Excerpt, "feature"}
}
