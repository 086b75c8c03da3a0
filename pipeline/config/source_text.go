package config

import "path/filepath"

// A Text is a config as it was read: what another process needs to read the same one.
type Text struct {
	File string            `json:"file"` // its name, absolute: relative paths are seen from there
	Text string            `json:"text"`
	Env  map[string]string `json:"env,omitempty"` // the variables that it names
}

// Text is the text of the config.
func (c *Config) Text() Text {
	t := c.text
	if file, err := filepath.Abs(t.File); err == nil { // else there is no working directory, and nothing relative
		t.File = file
	}
	return t
}

// Parse reads the config again, as it was.
func (t *Text) Parse() (*Config, error) {
	return Parse(t.File, []byte(t.Text), func(name string) (string, bool) {
		value, ok := t.Env[name]
		return value, ok
	})
}
