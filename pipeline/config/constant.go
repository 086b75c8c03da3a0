package config

import "tfr-build/schema"

// A Constant is a value of the config.
type Constant struct {
	Text   string
	quoted bool // a text, whatever its characters
}

func decodeConstant(d *decoder, at spot, c *Constant) {
	if !at.isScalar() || at.isNull() {
		d.expected(at, "a single value")
		return
	}
	*c = Constant{Text: at.text, quoted: at.quoted}
}

func encodeConstant(_ encoder, c Constant) *node {
	return &node{kind: scalarNode, text: c.Text, quoted: c.quoted}
}

func constantSchema(*generator) object { return scalar() }

// value is the constant as the schema takes it.
func (c *Constant) value() *schema.Value {
	if c == nil {
		return nil
	}
	return &schema.Value{Kind: schema.Text, Text: []byte(c.Text)}
}
