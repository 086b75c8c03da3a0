package config

import "tfr-build/schema"

// A Constant is a value in the config.
type Constant struct {
	Text   string
	quoted bool // a string, even if it looks like a number
}

func decodeConstant(d *decoder, at spot, c *Constant) {
	if !at.isScalar() || at.isNull() {
		d.reportExpected(at, "a single value")
		return
	}
	*c = Constant{Text: at.text, quoted: at.quoted}
}

func encodeConstant(c Constant) *node {
	return &node{kind: scalarNode, text: c.Text, quoted: c.quoted}
}

// value returns the constant as a value of the schema; nil if c is nil.
func (c *Constant) value() *schema.Value {
	if c == nil {
		return nil
	}
	return &schema.Value{Kind: schema.Text, Text: []byte(c.Text)}
}
