package fault

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
)

// An input is random tables of one kind.
type input struct {
	source string // lines of the config
	files  map[string][]byte
	cut    func(text []byte) []rowText
	judge  func(text string, usesPart bool) (id int64, code string)
}

// randomInput makes up to three tables. About one row in ten is bad, for one
// reason.
func randomInput(r *rand.Rand) *input {
	in := &input{source: csvSource, files: map[string][]byte{}, cut: cutCSV, judge: judgeCSV}
	row, extension := randomCSV, "csv"
	if r.IntN(2) == 0 {
		in.source, in.cut, in.judge = "source: {jsonl: {files: 'in/*.jsonl'}}\n", cutLines, judgeJSON
		row, extension = randomJSON, "jsonl"
	}
	id := 0
	for f := range 1 + r.IntN(3) {
		var b bytes.Buffer
		end := []string{"\n", "\r\n"}[r.IntN(2)]
		if extension == "csv" {
			b.WriteString("id,part,x,note" + end)
		}
		for n := range 1 + r.IntN(40) {
			odds := 10
			if n == 0 {
				odds = 0 // the first bytes of a file show its type
			}
			b.WriteString(row(r, id, odds) + end)
			if r.IntN(20) == 0 {
				b.WriteString(end)
			}
			id++
		}
		text := b.Bytes()
		if r.IntN(3) == 0 {
			text = bytes.TrimRight(text, "\r\n")
		}
		in.files[fmt.Sprintf("%c.%s", 'a'+f, extension)] = text
	}
	return in
}

// isBad is true once in odds, never for odds of 0.
func isBad(r *rand.Rand, odds int) bool { return odds > 0 && r.IntN(odds) == 0 }

func oneOf(r *rand.Rand, list ...string) string { return list[r.IntN(len(list))] }

func randomCSV(r *rand.Rand, i, odds int) string {
	cells := []string{fmt.Sprint(i), oneOf(r, "train", "test"), fmt.Sprint(r.Float32()),
		oneOf(r, "", "plain", "\"a, b\"", "\"say \"\"so\"\"\"", "東京", "\"two\nlines\"")}
	if !isBad(r, odds) {
		return strings.Join(cells, ",")
	}
	switch r.IntN(11) {
	case 0:
		cells[0] = oneOf(r, "x", "1.0", "1e3", " 7", "0x1")
	case 1:
		cells[0] = "9223372036854775808"
	case 2:
		cells[0] = ""
	case 3:
		cells[1] = "" // bad only where the part decides something
	case 4:
		cells[2] = oneOf(r, "abc", "1,5", "1_0")
	case 5:
		cells[2] = "1e39"
	case 6:
		cells = append(cells[:3], "plain", "more")
	case 7:
		cells = cells[:3]
	case 8:
		cells[3] = "so \"it\" is"
	case 9:
		cells[3] = oneOf(r, "\"a\"b", "\"open", "\"open\"\"")
	case 10:
		cells[3] = "caf\xe9"
	}
	return strings.Join(cells, ",")
}

func randomJSON(r *rand.Rand, i, odds int) string {
	id, part, x, note, tail := fmt.Sprint(i), `"`+oneOf(r, "train", "test")+`"`, fmt.Sprint(r.Float32()),
		`"`+oneOf(r, "", "plain", "é", `\u00e9`, `a\nb`)+`"`, ""
	if isBad(r, odds) {
		switch r.IntN(12) {
		case 0:
			id = oneOf(r, "1.5", "1e3")
		case 1:
			id = "9223372036854775808"
		case 2:
			id = oneOf(r, "null", `"x"`, `[1]`, `{}`)
		case 3:
			part = "null"
		case 4:
			x = "1e39"
		case 5:
			x = oneOf(r, `"abc"`, "[]", "true")
		case 6:
			tail = oneOf(r, " ]", "}", ` {"id": 1}`)
		case 7:
			return oneOf(r, "[1]", "12", `"text"`, "null")
		case 8:
			tail = `` + "\x00"
		case 9:
			note = oneOf(r, `"\ud800"`, "\"\xff\"")
		case 10:
			note += `, "id": 7`
		case 11:
			return oneOf(r, `{"id": 1,}`, `{"id": `, "{'id': 1}", `{"id": 01}`, "text")
		}
	}
	return fmt.Sprintf(`{"id": %s, "part": %s, "x": %s, "note": %s}%s`, id, part, x, note, tail)
}
