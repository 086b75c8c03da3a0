package lossless

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

func padded(n, width int) string { return fmt.Sprintf("%0*d", width, n) }

// missing is the place of a value that an element does not have.
type missing struct{}

// at returns the value at a path. A key of a list means the key of each element; so does "*".
func at(v any, path []string) any {
	if o, ok := v.(Object); ok && len(path) > 0 { // a key with the name of the path
		if v, ok := o.Get(strings.Join(path, ".")); ok {
			return v
		}
	}
	if len(path) == 0 {
		return v
	}
	switch v := v.(type) {
	case []any:
		if i, err := strconv.Atoi(path[0]); err == nil {
			if i >= len(v) {
				return missing{}
			}
			return at(v[i], path[1:])
		}
		rest := path
		if path[0] == "*" {
			rest = path[1:]
		}
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = at(e, rest)
		}
		return list
	case Object:
		if path[0] == "*" {
			list := make([]any, len(v))
			for i, m := range v {
				list[i] = at(m.Value, path[1:])
			}
			return list
		}
		for n := len(path); n > 0; n-- { // keys may have dots
			if inner, ok := v.Get(strings.Join(path[:n], ".")); ok {
				return at(inner, path[n:])
			}
		}
	}
	return missing{}
}

// leaves appends the values of a list, however deep.
func leaves(list []any, v any) []any {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			list = leaves(list, e)
		}
		return list
	case Object:
		if text, ok := v.Get(Text); ok {
			return append(list, text)
		}
		if len(v) > 0 && strings.HasPrefix(v[0].Key, "@") {
			return append(list, Cell{})
		}
	}
	return append(list, v)
}

// A comparer compares the values of a feature with the values of its column.
type comparer struct {
	feature
	classes []string
	first   int64
	null    []string // words that mean missing
	trim    bool

	numbers map[float64]bool // the different numbers of the input, and what they are in records
	floats  map[float32]bool
}

// merges reports whether most of the numbers are equal to others in records, without a comment.
func (c *comparer) merges() bool {
	return len(c.floats) < len(c.numbers)/2 && !namesLoss.MatchString(c.note)
}

// wants returns what the feature should have for a value of the input, in a list, or an error.
func (c *comparer) wants(v any) (list []any, err error) {
	for _, leaf := range leaves(nil, v) {
		if cell, ok := leaf.(Cell); ok && c.trim && !cell.Quoted {
			cell.Text = strings.Trim(cell.Text, " \t")
			leaf = cell
		}
		switch sep, _ := c.spec["separator"].(string); {
		case sep != "":
			text := textOf(leaf)
			if c.isMissing(leaf) {
				continue
			}
			for part := range strings.SplitSeq(text, sep) {
				list = append(list, Cell{Text: part})
			}
		case c.spec["encoding"] == "json":
			if c.isMissing(leaf) {
				continue
			}
			inner, err := readJSON([]byte(textOf(leaf)))
			if err != nil {
				return nil, fmt.Errorf("%q is not JSON", textOf(leaf))
			}
			list = leaves(list, inner)
		default:
			list = append(list, leaf)
		}
	}
	return list, nil
}

func textOf(v any) string {
	switch v := v.(type) {
	case Cell:
		return v.Text
	case string:
		return v
	case json.Number:
		return string(v)
	case []byte:
		return string(v)
	case nil, missing:
		return ""
	}
	return fmt.Sprint(v)
}

// isMissing reports whether the config reads a value as missing.
func (c *comparer) isMissing(v any) bool {
	switch v := v.(type) {
	case nil, missing:
		return true
	case Cell:
		if v.Text == "" {
			return true
		}
		for _, word := range c.null {
			if word == v.Text {
				return true
			}
		}
	}
	return false
}

// isNumber reports whether the config reads the column as numbers, which no word can be.
func (c *comparer) isNumber() bool { return c.spec["type"] == "int64" || c.spec["type"] == "float" }

// compare returns what is wrong with the stored values of a row; empty if nothing is.
func (c *comparer) compare(v any, stored []any) string {
	if c.isJSON {
		return compareJSON(v, stored)
	}
	list, err := c.wants(v)
	if err != nil {
		return err.Error()
	}
	// Elements without a value are not stored, or are the default.
	fill, fills := c.defaultValue()
	var want []any
	if fills && len(list) == 0 { // of a list of one length
		want = slices.Repeat([]any{fill}, len(stored))
	}
	for _, leaf := range list {
		if !c.isMissing(leaf) {
			want = append(want, leaf)
			continue
		}
		if cell, ok := leaf.(Cell); ok && cell.Text != "" {
			if cell.Quoted && !cell.Alike && !c.isNumber() {
				return fmt.Sprintf("%q in quotes is missing", cell.Text)
			}
			if !strings.Contains(c.note, `"`+cell.Text+`"`) {
				return fmt.Sprintf("%q is missing, and no comment says so", cell.Text)
			}
		}
		if fills {
			want = append(want, fill)
		} else if cell, ok := leaf.(Cell); ok && cell.Text == "" && len(list) == len(stored) {
			want = append(want, leaf) // the empty string
		}
	}
	if len(want) != len(stored) {
		return fmt.Sprintf("%d values for %s", len(stored), short(list))
	}
	for i, leaf := range want {
		if text := c.differs(leaf, stored[i]); text != "" {
			return text
		}
	}
	return ""
}

// compareJSON compares a value with the JSON that is stored.
func compareJSON(v any, stored []any) string {
	if len(stored) != 1 {
		return fmt.Sprintf("%d values for JSON", len(stored))
	}
	text := stored[0].([]byte)
	if value, err := readJSON(text); err != nil || !reflect.DeepEqual(value, withNull(v)) {
		return fmt.Sprintf("the JSON of %v is %s", v, text)
	}
	return ""
}

// withNull returns a value with nil in place of missing ones.
func withNull(v any) any {
	switch v := v.(type) {
	case missing:
		return nil
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = withNull(v[i])
		}
		return list
	}
	return v
}

func short(v any) string {
	const most = 60
	if list, ok := v.([]any); ok && len(list) == 1 {
		v = list[0]
	}
	text := fmt.Sprintf("%q", textOf(v))
	if _, ok := v.([]any); ok {
		text = fmt.Sprint(v)
	}
	if len(text) > most {
		text = text[:most] + "…"
	}
	return text
}

// defaultValue returns the value that replaces missing ones.
func (c *comparer) defaultValue() (any, bool) {
	switch m := c.spec["missing"].(type) {
	case map[string]any:
		return Cell{Text: fmt.Sprint(m["default"])}, true
	case string:
		return nil, false
	case nil:
		return nil, false
	default:
		return Cell{Text: fmt.Sprint(m)}, true
	}
}

// differs compares a value of the input with a stored one.
func (c *comparer) differs(leaf, stored any) string {
	text := textOf(leaf)
	wrong := fmt.Sprintf("%v for %s", stored, short(leaf))
	switch stored := stored.(type) {
	case []byte:
		switch c.spec["encoding"] {
		case "base64":
			b, err := base64.StdEncoding.DecodeString(text)
			if err != nil || !bytes.Equal(b, stored) {
				return wrong
			}
			return ""
		case "hex":
			b, err := hex.DecodeString(text)
			if err != nil || !bytes.Equal(b, stored) {
				return wrong
			}
			return ""
		}
		if x, ok := leaf.(float64); ok { // a number as a string
			if y, err := strconv.ParseFloat(string(stored), 64); err == nil && x == y {
				return ""
			}
		}
		if text != string(stored) {
			return fmt.Sprintf("%q for %s", stored, short(leaf))
		}
		return ""
	case int64:
		if c.classes != nil {
			i := stored - c.first
			if classes, ok := c.spec["classes"].(map[string]any); ok && classes["numbers"] == true {
				if text != strconv.FormatInt(stored, 10) {
					return wrong
				}
				return ""
			}
			if i < 0 || i >= int64(len(c.classes)) || c.classes[i] != text {
				return wrong
			}
			return ""
		}
		if m, ok := c.spec["map"].(map[string]any); ok {
			if v, ok := m[text]; ok && (v == true && stored == 1 || v == false && stored == 0) {
				return ""
			}
			return wrong
		}
		if date, ok := c.spec["date"].(string); ok {
			unit, _ := c.spec["unit"].(string)
			want, err := parseDate(text, date, unit)
			if err != nil {
				return err.Error()
			}
			if want != stored {
				return fmt.Sprintf("the date %d for %s", stored, short(leaf))
			}
			return ""
		}
		if b, ok := leaf.(bool); ok {
			if b != (stored == 1) {
				return wrong
			}
			return ""
		}
		switch strings.ToLower(text) {
		case "true":
			text = "1"
		case "false":
			text = "0"
		}
		if want, err := strconv.ParseInt(c.plain(text), 10, 64); err == nil && want == stored {
			return ""
		}
		if x, err := strconv.ParseFloat(c.plain(text), 64); err == nil && x == float64(stored) && math.Abs(x) < 1<<53 {
			return ""
		}
		return wrong
	case float32:
		if x, ok := leaf.(float64); ok {
			if float32(x) != stored && (x == x || stored == stored) {
				return wrong
			}
			text = strconv.FormatFloat(x, 'f', -1, 64)
		}
		plain := c.plain(text)
		x, err := strconv.ParseFloat(plain, 32)
		if err != nil || float32(x) != stored && !(x != x && stored != stored) {
			return wrong
		}
		if c.numbers == nil {
			c.numbers, c.floats = map[float64]bool{}, map[float32]bool{}
		}
		if x, err := strconv.ParseFloat(plain, 64); err == nil {
			c.numbers[x], c.floats[stored] = true, true
		}
		if !givesBack(plain, stored) && !namesLoss.MatchString(c.note) {
			return fmt.Sprintf("the float32 %v for %s, and no comment says so", stored, text)
		}
		return ""
	}
	return fmt.Sprintf("a %T", stored)
}

// givesBack reports whether a float32 is a number if it is rounded to the digits that the number has.
func givesBack(number string, stored float32) bool {
	mantissa, _, _ := strings.Cut(strings.ToLower(number), "e")
	own := strings.TrimLeft(strings.Replace(strings.TrimLeft(mantissa, "-+"), ".", "", 1), "0")
	if mantissa != number || strings.Contains(number, ".") {
		own = strings.TrimRight(own, "0")
	}
	want, _ := new(big.Rat).SetString(number)
	got, _ := new(big.Rat).SetString(strconv.FormatFloat(float64(stored), 'e', max(0, len(own)-1), 64))
	return want == nil || want.Cmp(got) == 0
}

// plain returns a number without its marks.
func (c *comparer) plain(text string) string {
	text = strings.TrimPrefix(text, "+")
	if mark, _ := c.spec["thousands"].(string); mark != "" {
		text = strings.ReplaceAll(text, mark, "")
		if mark == " " {
			text = strings.NewReplacer("\u00a0", "", "\u202f", "").Replace(text)
		}
	}
	if mark, _ := c.spec["decimal"].(string); mark != "" {
		text = strings.Replace(text, mark, ".", 1)
	}
	return text
}

// goLayout has the forms of Go for the letters of a date.
var goLayout = strings.NewReplacer("%Y", "2006", "%y", "06", "%m", "1", "%b", "Jan", "%B", "January", "%d", "2",
	"%a", "Mon", "%A", "Monday", "%H", "15", "%I", "3", "%p", "PM", "%M", "4", "%S", "5", "%f", "999999999",
	"%z", "-0700", "%Z", "MST", "%j", "002")

// parseDate returns the number that a date is stored as.
func parseDate(text, format, unit string) (int64, error) {
	layouts := []string{time.RFC3339Nano, "2006-01-02 15:04:05.999999999Z07:00"}
	if format != "rfc3339" {
		layout := goLayout.Replace(format)
		layouts = []string{layout, strings.Replace(layout, "-0700", "-07:00", 1),
			strings.Replace(layout, "-0700", "Z07:00", 1), strings.Replace(layout, "-0700", "-07", 1)}
	}
	var t time.Time
	var err error
	for _, layout := range layouts {
		if t, err = time.Parse(strings.ToUpper(layout), strings.ToUpper(text)); err == nil {
			break
		}
		if t, err = time.Parse(layout, text); err == nil {
			break
		}
	}
	if err != nil {
		return 0, fmt.Errorf("the date %q is not %s", text, format)
	}
	switch unit {
	case "days":
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC).Unix() / 86400, nil
	case "ms":
		return t.UnixMilli(), nil
	case "us":
		return t.UnixMicro(), nil
	case "ns":
		return t.UnixNano(), nil
	}
	return t.Unix(), nil
}
