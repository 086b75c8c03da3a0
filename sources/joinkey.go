package sources

import (
	"bytes"
	"encoding/binary"

	"tfr-build/schema"
)

// A joinKey is the key of a row in a join: the values of its join columns, one after another.
type joinKey struct {
	value []byte   // numbers of one value are equal
	text  []byte   // numbers as they are written
	buf   [64]byte // for the digits of a number
}

func (k *joinKey) reset() { k.value, k.text = k.value[:0], k.text[:0] }

// differs reports whether the text of a number is not its key.
func (k *joinKey) differs() bool { return !bytes.Equal(k.value, k.text) }

// add adds the value of one of several join columns. It returns false for a list, an object, and the content of a file.
func (k *joinKey) add(v *schema.Value, columns int) bool {
	text, ok := v.AsText(k.buf[:0])
	if !ok {
		return false
	}
	k.text = appendKey(k.text, text, columns)
	if v.Kind != schema.Text {
		text, _ = v.Key(k.buf[:0])
	}
	k.value = appendKey(k.value, text, columns)
	return true
}

// read reads the key of a row. isMissing reports whether a value is missing; such a row matches nothing. err is the
// error of a value that cannot be joined on.
func (k *joinKey) read(vals []schema.Value, on []inputColumn) (isMissing bool, err error) {
	k.reset()
	for i := range on {
		switch v := &vals[on[i].slot]; {
		case IsMissing(on[i].nulls, v):
			isMissing = true
		case !k.add(v, len(on)) && err == nil:
			err = on[i].joinTypeError(v)
		}
	}
	return isMissing, err
}

// joinTypeError returns the error of a value that cannot be joined on.
func (c *inputColumn) joinTypeError(v *schema.Value) error {
	return &schema.RowError{Code: "TYPE", At: int(v.At), Column: c.name,
		Message: "found " + v.Describe() + "; expected a string or a number to join on"}
}

// appendKey appends a value to a key. Each of several values follows its length, so that different values never have
// the same key.
func appendKey(key, text []byte, columns int) []byte {
	if columns > 1 {
		key = binary.AppendUvarint(key, uint64(len(text)))
	}
	return append(key, text...)
}

// find returns the rows of the table with a key. If no row has it, it returns the rows with the same string: a string
// matches a number that is written so.
func (t *lookupTable) find(k *joinKey) span {
	found, ok := t.rows[string(k.value)]
	if ok || t.spelled == nil && !k.differs() {
		return found
	}
	if found, ok := t.rows[string(k.text)]; ok {
		return found
	}
	for _, text := range [][]byte{k.value, k.text} {
		if value, ok := t.spelled[string(text)]; ok {
			return t.rows[value]
		}
	}
	return span{}
}
