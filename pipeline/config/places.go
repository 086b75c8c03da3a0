package config

import "strings"

// A place is where a value stands in the text.
type place struct{ line, col int }

// places are those of the values, by their paths.
type places map[string]place

// of is the place of the value at path, or of the closest one around it.
func (p places) of(path string) place {
	for {
		if at, ok := p[path]; ok || path == "" {
			return at
		}
		path = around(path)
	}
}

// At is the place of the value at path, or of the closest one around it.
func (c *Config) At(path string) (line, col int) {
	at := c.places.of(path)
	return at.line, at.col
}

// subPath is the path of key below path. A key with a dot or a bracket in it
// is quoted.
func subPath(path, key string) string {
	switch {
	case key == "" || strings.ContainsAny(key, ".[]\"\\ \t\r\n:"):
		return path + "[" + quoteValue(key) + "]"
	case path == "":
		return key
	}
	return path + "." + key
}

// around is the path of what the value at path stands in. A quoted key with a
// dot in it takes more than one step: those between are the paths of nothing.
func around(path string) string {
	return path[:max(0, strings.LastIndexAny(path, ".["))]
}
