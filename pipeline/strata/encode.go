package strata

import (
	"encoding/base64"
	"encoding/binary"
	"errors"

	"tfr-build/internal/varint"
)

// Values are the strata of some rows, by number. As text they are compact, since there may be many.
type Values []Value

// MarshalText encodes the values.
func (list Values) MarshalText() ([]byte, error) {
	b := binary.AppendUvarint(nil, uint64(len(list)))
	for i := range list {
		b = appendValue(b, &list[i])
	}
	return encode(b), nil
}

// UnmarshalText parses the result of MarshalText.
func (list *Values) UnmarshalText(text []byte) error {
	r, err := newReader(text)
	if err != nil {
		return err
	}
	*list = make(Values, r.Count(1))
	for i := range *list {
		(*list)[i] = r.value()
	}
	return r.end()
}

// MarshalText encodes a decision.
func (d *Decision) MarshalText() ([]byte, error) {
	b := binary.AppendUvarint(nil, uint64(len(d.Strata)))
	for i := range d.Strata {
		s := &d.Strata[i]
		b = appendValue(b, &s.Value)
		b = appendNumbers(b, len(s.Splits))
		b = appendNumbers(b, s.Splits...)
		b = appendNumbers(b, len(s.begins))
		for _, of := range s.begins {
			b = binary.AppendUvarint(b, of.point)
			b = appendNumbers(b, of.split)
		}
	}
	b = appendNumbers(b, len(d.groups))
	for _, groups := range d.groups {
		b = appendNumbers(b, len(groups))
		for _, of := range groups {
			b = binary.LittleEndian.AppendUint64(b, of.point)
			b = append(b, byte(of.split))
		}
	}
	return encode(appendNumbers(b, d.Shared)), nil
}

// UnmarshalText parses the result of MarshalText.
func (d *Decision) UnmarshalText(text []byte) error {
	r, err := newReader(text)
	if err != nil {
		return err
	}
	*d = Decision{Strata: make([]Stratum, r.Count(1))}
	for i := range d.Strata {
		s := &d.Strata[i]
		s.Value, s.Splits = r.value(), make([]int, r.Count(1))
		for k := range s.Splits {
			s.Splits[k] = r.Int()
			s.Rows += s.Splits[k]
		}
		s.begins = make([]begin, r.Count(1))
		for k := range s.begins {
			s.begins[k] = begin{r.Unsigned(), r.Int()}
		}
	}
	d.groups = make([][]group, r.Count(1))
	for i := range d.groups {
		groups := make([]group, r.Count(1))
		for k := range groups {
			groups[k] = r.group()
		}
		d.groups[i] = groups
	}
	d.Shared = r.Int()
	return r.end()
}

// Check returns an error if a decision cannot be about the rows of these populations.
func (d *Decision) Check(populations []Population) error {
	if len(d.groups) != len(populations) {
		return errDamaged
	}
	fits := func(population, split int) bool {
		return population < len(populations) && split < len(populations[population].Splits)
	}
	for i := range d.Strata {
		s := &d.Strata[i]
		if !fits(s.Population, 0) || len(s.Splits) != len(populations[s.Population].Splits) {
			return errDamaged
		}
		for _, of := range s.begins {
			if !fits(s.Population, of.split) {
				return errDamaged
			}
		}
	}
	for i, groups := range d.groups {
		for _, of := range groups {
			if !fits(i, of.split) {
				return errDamaged
			}
		}
	}
	return nil
}

func appendValue(b []byte, v *Value) []byte {
	b = appendNumbers(b, v.Population)
	if v.Missing {
		return append(b, 1)
	}
	b = appendNumbers(append(b, 0), len(v.Text))
	return append(b, v.Text...)
}

func appendNumbers(b []byte, list ...int) []byte {
	for _, n := range list {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}

func encode(b []byte) []byte { return base64.StdEncoding.AppendEncode(nil, b) }

var errDamaged = errors.New("the strata are damaged")

// A reader reads strata and groups.
type reader struct{ varint.Reader }

func newReader(text []byte) (*reader, error) {
	b, err := base64.StdEncoding.AppendDecode(nil, text)
	return &reader{varint.NewReader(b)}, err
}

func (r *reader) end() error {
	if !r.IsComplete() {
		return errDamaged
	}
	return nil
}

func (r *reader) value() Value {
	v := Value{Population: r.Int(), Missing: r.Int() > 0}
	if !v.Missing {
		v.Text = string(r.Take(r.Int()))
	}
	return v
}

func (r *reader) group() (of group) {
	if b := r.Take(9); b != nil {
		of.point, of.split = binary.LittleEndian.Uint64(b), int(b[8])
	}
	return of
}
