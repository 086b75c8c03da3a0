package config

import "path/filepath"

// Text is the content of a config file with its variables: another process can read the same config
// from it.
type Text struct {
	File string            `json:"file"` // absolute name of the file: relative paths are relative to its directory
	Text string            `json:"text"`
	Env  map[string]string `json:"env,omitempty"` // variables that the text names
}

// Text returns the text of the config.
func (c *Config) Text() Text {
	t := c.text
	if file, err := filepath.Abs(t.File); err == nil { // otherwise the working directory is unknown
		t.File = file
	}
	return t
}

// Variables returns the names of the variables in the config, sorted.
func (c *Config) Variables() []string { return c.variables }

// Parse reads the config from t.
func (t *Text) Parse() (*Config, error) {
	return Parse(t.File, []byte(t.Text), func(name string) (string, bool) {
		value, ok := t.Env[name]
		return value, ok
	})
}
