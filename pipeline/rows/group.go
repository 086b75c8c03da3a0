package rows

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"
	"strconv"

	"tfr-build/internal/order"
	"tfr-build/pipeline/config"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// A Grouping says to which group a row belongs, and where in it.
type Grouping struct {
	Hash   uint64 // of Values
	Values []byte // of group.by: each with its length before it
	Sort   []byte // ascending bytes; empty without group.sort
	Same   []byte // what must be equal in all rows of a group, besides Values: see Chooser.appendPending
}

// SortText reports whether the row is sorted by the bytes of a string, and whether that is a number.
func (g *Grouping) SortText() (isText, isNumber bool) {
	if len(g.Sort) == 0 || g.Sort[0] != sortString {
		return false, false
	}
	_, err := strconv.ParseFloat(string(g.Sort[1:]), 64)
	return true, err == nil
}

// A grouper reads the grouping of rows of a source.
type grouper struct {
	by   []*deciding
	sort *deciding // nil without group.sort
	kind string    // type of the numbers in a column of strings; empty for strings
	same []*deciding
	isBy int // index of split.by in same; -1 without it
}

// newGrouper returns the grouper of a source; nil without group. decides adds a column.
func (src *Source) newGrouper(decides func(string) *deciding) *grouper {
	of := src.set.Config.Group
	if of == nil {
		return nil
	}
	g := &grouper{isBy: -1}
	for _, name := range of.By {
		g.by = append(g.by, decides(name))
	}
	if of.Sort != nil {
		g.sort, g.kind = decides(of.Sort.Column), of.Sort.Type
	}
	for i, name := range []string{src.set.Config.OrderKey, src.Config.Split.By, src.Config.Split.Column} {
		if name == "" {
			continue
		}
		if i == 1 {
			g.isBy = len(g.same)
		}
		g.same = append(g.same, decides(name))
	}
	return g
}

// Groups reports whether rows are grouped.
func (s *Set) Groups() bool { return s.Config.Group != nil }

// group sets the grouping of a row, whose hash decides in place of the ID of the row.
func (c *Chooser) group(s *sourceChooser) (_ string, err error) {
	g, to := s.decider.grouper, &c.facts.Group
	if to.Values, err = appendTexts(to.Values[:0], g.by, c.vals); err != nil {
		return "", err
	}
	if to.Same, err = appendTexts(to.Same[:0], g.same, c.vals); err != nil {
		return "", err
	}
	to.Hash = hashOfGroup(to.Values)
	c.id, to.Sort = to.Hash, to.Sort[:0]
	if g.sort != nil {
		to.Sort, err = g.appendSort(to.Sort, c.vals)
	}
	return "", err
}

// hashOfGroup returns the hash of the values of a group. A group by one column has the hash of its
// string, as with split.by.
func hashOfGroup(values []byte) uint64 {
	if n, size := binary.Uvarint(values); int(n)+size == len(values) {
		return order.HashText(values[size:])
	}
	return order.HashText(values)
}

// OrderHash returns the hash that decides the position of a group in the shuffled order: the hash of
// order_key, or of the group.
func OrderHash(s *Set, hash uint64, same []byte) uint64 {
	if s.Config.OrderKey == "" {
		return hash
	}
	eachText(same, func(i int, text []byte) {
		if i == 0 {
			hash = order.HashText(text)
		}
	})
	return hash
}

func appendTexts(dst []byte, columns []*deciding, vals []schema.Value) ([]byte, error) {
	for _, of := range columns {
		text, err := of.text(vals)
		if err != nil {
			return dst, err
		}
		dst = binary.AppendUvarint(dst, uint64(len(text)))
		dst = append(dst, text...)
	}
	return dst, nil
}

// eachText calls visit for each string of the result of appendTexts.
func eachText(texts []byte, visit func(i int, text []byte)) {
	for i := 0; len(texts) > 0; i++ {
		n, size := binary.Uvarint(texts)
		visit(i, texts[size:size+int(n)])
		texts = texts[size+int(n):]
	}
}

// Kinds of sort values: numbers are before strings.
const (
	sortNumber = 1
	sortString = 2
)

// appendSort appends bytes that are in the order of the values of the sort column.
func (g *grouper) appendSort(dst []byte, vals []schema.Value) ([]byte, error) {
	v := &vals[g.sort.slot]
	text, err := g.sort.text(vals)
	if err != nil {
		return dst, err
	}
	isNumber := v.Kind == schema.Number || v.Kind == schema.Array || v.Kind == schema.List && len(v.List) == 1 &&
		v.List[0].Kind == schema.Number
	switch {
	case g.kind == "" && !isNumber:
		return append(append(dst, sortString), text...), nil
	case g.kind == "int64":
		n, err := strconv.ParseInt(string(text), 10, 64)
		if err != nil {
			return dst, g.notNumber(v, text)
		}
		return appendInteger(append(dst, sortNumber), n < 0, magnitude(n)), nil
	case g.kind == "uint64":
		n, err := strconv.ParseUint(string(text), 10, 64)
		if err != nil {
			return dst, g.notNumber(v, text)
		}
		return appendInteger(append(dst, sortNumber), false, n), nil
	}
	return g.appendNumber(append(dst, sortNumber), v, text)
}

// appendNumber appends a number with or without a fraction. Integers beyond 2^53 keep all digits.
func (g *grouper) appendNumber(dst []byte, v *schema.Value, text []byte) ([]byte, error) {
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		return appendInteger(dst, n < 0, magnitude(n)), nil
	}
	if n, err := strconv.ParseUint(string(text), 10, 64); err == nil {
		return appendInteger(dst, false, n), nil
	}
	x, err := strconv.ParseFloat(string(text), 64)
	switch {
	case math.IsNaN(x):
		return dst, &schema.RowError{Code: "MISSING", At: int(v.At), Column: g.sort.column,
			Message: "found nan, which counts as missing, but it decides the row's place in its group"}
	case err != nil && !math.IsInf(x, 0):
		return dst, g.notNumber(v, text)
	}
	abs := math.Abs(x)
	switch {
	case abs < 1<<53: // may have a fraction
		return appendFloat(dst, x), nil
	case abs < 1<<64: // an integer, compared with those that have all digits
		return appendInteger(dst, x < 0, uint64(abs)), nil
	case x < 0:
		return appendFloat(dst, x), nil
	}
	return append(appendFloat(dst, x), beyondIntegers...), nil
}

// beyondIntegers follows a float from 2^64 on: the largest integers round to 2^64, too, and are before it.
const beyondIntegers = "\xff\xff\xff\xff\xff\xff\xff\xff\xff"

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// appendFloat appends the bits of a float, in ascending order.
func appendFloat(dst []byte, x float64) []byte {
	if x == 0 {
		x = 0 // -0 equals 0
	}
	bits := math.Float64bits(x)
	if bits>>63 == 1 {
		bits = ^bits
	} else {
		bits |= 1 << 63
	}
	return binary.BigEndian.AppendUint64(dst, bits)
}

// appendInteger appends an integer: as a float, and beyond 2^53 with its digits, since several
// integers have the same float there.
func appendInteger(dst []byte, negative bool, n uint64) []byte {
	x := float64(n)
	if negative {
		x = -x
	}
	dst = appendFloat(dst, x)
	if n < 1<<53 {
		return dst
	}
	if negative {
		n = ^n
	}
	return binary.BigEndian.AppendUint64(dst, n)
}

func (g *grouper) notNumber(v *schema.Value, text []byte) error {
	kind := g.kind
	if kind == "" {
		kind = "float64"
	}
	return &schema.RowError{
		Code: "SORT_SYNTAX", At: int(v.At), Column: g.sort.column, Found: schema.Quote(text),
		Message: schema.Quote(text) + " is not of type " + kind + ", but it decides the row's place in its group",
	}
}

// A GroupCause is the reason why a row is invalid as a part of its group: another row.
type GroupCause struct {
	Other   order.Position `json:"other"`
	Column  string         `json:"column,omitempty"`
	Feature string         `json:"feature,omitempty"`
	Text    string         `json:"text"`           // the message, before the position of the other row
	Hint    string         `json:"hint,omitempty"` // a config line that makes the row valid

	// If Text is empty, the row itself is the reason, at its position in a record: see [Set.ReadsStep].
	Step, Steps int `json:"-"`
}

// A GroupError is the error of a row that is invalid as a part of its group.
type GroupError struct {
	*schema.RowError
	Cause GroupCause
}

// Unwrap returns the error of the row.
func (e *GroupError) Unwrap() error { return e.RowError }

// Append appends the cause in the format of spill files and of lists of rejects.
func (c GroupCause) Append(dst []byte) []byte {
	text, err := json.Marshal(c)
	if err != nil { // its strings and numbers can be encoded
		panic(err)
	}
	return append(dst, text...)
}

// ParseCause parses the result of Append; ok is false for other bytes.
func ParseCause(text []byte) (c GroupCause, ok bool) {
	return c, len(text) > 0 && json.Unmarshal(text, &c) == nil
}

// The codes of rows that are invalid as parts of groups.
const (
	GroupDiffers = "GROUP_DIFFERS"
	GroupRow     = "GROUP_ROW"
	GroupLimit   = "LIMIT_GROUP"
)

// NewGroupError returns the error of a row. cause says why.
func NewGroupError(code string, cause GroupCause) *GroupError {
	bad := &schema.RowError{Code: code, At: -1, Column: cause.Column, Feature: cause.Feature, Message: cause.Text,
		Hint: cause.Hint}
	return &GroupError{bad, cause}
}

// NewGroupRowError returns the error of a valid row whose records all have an invalid row.
func NewGroupRowError(invalid order.Position) *GroupError {
	return NewGroupError(GroupRow, GroupCause{Other: invalid,
		Text: "no valid record has the row; the invalid row of its record"})
}

// NewGroupLimitError returns the error of the rows of a group that is too large. first is a row of it.
func NewGroupLimitError(limits *config.Limits, first order.Position, rows int, size int64) *GroupError {
	const most = 1 << 24 // that limits.group may be
	hint := ""
	text := "the group has " + strconv.Itoa(rows) + " rows; limits.group allows " + strconv.Itoa(limits.Group)
	if rows <= most {
		hint = "limits: {group: " + strconv.Itoa(rows) + "}"
	}
	if rows <= limits.Group {
		text = "the group has " + strconv.FormatInt(size, 10) + " bytes; limits.record allows " +
			strconv.FormatInt(limits.Record, 10)
		hint = input.RecordHint(size)
	}
	return NewGroupError(GroupLimit, GroupCause{Other: first, Text: text + "; its first row", Hint: hint})
}

// A group in a spill file is the data of an entry:
//
//	4 first window to write │ 4 windows │ 4 rows │ 4 bytes of values │ values │ rows │ text of each row
//	row  8 place │ 4 end of its text │ 1 whether it is invalid
//
// The text of an invalid row is its code and, after a NUL, its cause.
const (
	groupHeader = 16
	groupRow    = 13
)

// A Group is the data of a group in a spill file.
type Group []byte

// NewGroup returns a group of n rows, in the memory of room. AppendRow sets them one after another.
func NewGroup(room []byte, windows, n int, values []byte) Group {
	g := binary.LittleEndian.AppendUint32(room[:0], 0)
	g = binary.LittleEndian.AppendUint32(g, uint32(windows))
	g = binary.LittleEndian.AppendUint32(g, uint32(n))
	g = binary.LittleEndian.AppendUint32(g, uint32(len(values)))
	g = append(g, values...)
	return append(g, make([]byte, n*groupRow)...)
}

// AppendRow sets row i: its position in the sequence, its text, and whether it is invalid.
func (g Group) AppendRow(i int, place uint64, text []byte, invalid bool) Group {
	g = append(g, text...)
	row := g[g.rowAt(i):]
	binary.LittleEndian.PutUint64(row, place)
	binary.LittleEndian.PutUint32(row[8:], uint32(len(g)-g.textsAt()))
	if invalid {
		row[12] = 1
	}
	return g
}

func (g Group) number(at int) int { return int(binary.LittleEndian.Uint32(g[at:])) }

// IsValid reports whether g can be a group.
func (g Group) IsValid() bool {
	if len(g) < groupHeader {
		return false
	}
	texts := g.textsAt()
	n := g.Rows()
	if n < 1 || g.number(12) > len(g) || n > len(g)/groupRow || texts > len(g) || g.First() > g.Windows() {
		return false
	}
	return texts+g.number(g.rowAt(n-1)+8) == len(g)
}

// First returns the first window that is to be written. SetFirst sets it.
func (g Group) First() int { return g.number(0) }

// SetFirst sets the first window that is to be written.
func (g Group) SetFirst(window int) { binary.LittleEndian.PutUint32(g, uint32(window)) }

// Windows returns the number of windows, without those beyond the limit of the value of the group.
func (g Group) Windows() int { return g.number(4) }

// SetWindows reduces the number of windows.
func (g Group) SetWindows(windows int) { binary.LittleEndian.PutUint32(g[4:], uint32(windows)) }

// Rows returns the number of rows.
func (g Group) Rows() int { return g.number(8) }

// Values returns the values of group.by.
func (g Group) Values() []byte { return g[groupHeader : groupHeader+g.number(12)] }

func (g Group) rowAt(i int) int { return groupHeader + g.number(12) + i*groupRow }

func (g Group) textsAt() int { return g.rowAt(g.Rows()) }

// sameAs reports whether two values of a column are equal as they are in the input.
func sameAs(a, b *schema.Value) bool {
	if a.Kind != b.Kind || a.Elem != b.Elem || len(a.List) != len(b.List) || !bytes.Equal(a.Text, b.Text) {
		return false
	}
	for i := range a.List {
		if !sameAs(&a.List[i], &b.List[i]) {
			return false
		}
	}
	return true
}

// unwrap returns the only element of a list that is accepted as one value, and v for other values.
func unwrap(v *schema.Value) *schema.Value {
	if v.Kind == schema.List && v.Elem != 0 && len(v.List) == 1 {
		return &v.List[0]
	}
	return v
}

// A valueRoom has memory for copies of values, which stay valid until reset.
type valueRoom struct {
	text   []byte
	values []schema.Value
	row    []byte // that values are copied from: its text stays valid, too, and needs no copy
}

const (
	textRoom  = 64 << 10
	valueRows = 1 << 10
)

func (m *valueRoom) reset() { m.text, m.values = m.text[:0], m.values[:0] }

// list returns memory for n values.
func (m *valueRoom) list(n int) []schema.Value {
	if len(m.values)+n > cap(m.values) {
		m.values = make([]schema.Value, 0, max(valueRows, n))
	}
	from := len(m.values)
	m.values = m.values[:from+n]
	return m.values[from : from+n : from+n]
}

// isOfRow reports whether the text of a value, which is not empty, is in its row as it is.
func (m *valueRoom) isOfRow(v *schema.Value) bool {
	return int(v.At) < len(m.row) && &m.row[v.At] == &v.Text[0]
}

// copyTo copies a value with all that it has.
func (m *valueRoom) copyTo(to, v *schema.Value) {
	// Field by field: v was just written so, and reading several fields at once would wait for that.
	to.Kind, to.At, to.Elem, to.Mixed, to.Rounded = v.Kind, v.At, v.Elem, v.Mixed, v.Rounded
	to.Text, to.List = v.Text, v.List
	if n := len(v.Text); n > 0 && !m.isOfRow(v) {
		if len(m.text)+n > cap(m.text) {
			m.text = make([]byte, 0, max(textRoom, n))
		}
		from := len(m.text)
		m.text = append(m.text, v.Text...)
		to.Text = m.text[from : from+n : from+n]
	}
	if len(v.List) > 0 {
		to.List = m.list(len(v.List))
		for i := range v.List {
			m.copyTo(&to.List[i], &v.List[i])
		}
	}
}
