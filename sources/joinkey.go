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
