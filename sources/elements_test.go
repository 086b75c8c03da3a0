package sources

import (
	"errors"
	"strings"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/schema"
	"tfr-build/sources/input"
)

// TestElementsOfStepsCount makes lists of as many elements as limits.record allows, and of one more, by each
// step.
func TestElementsOfStepsCount(t *testing.T) {
	const most = 22
	list := func(n int, text, between string) string { return strings.Repeat(text+between, n-1) + text }
	row := func(id string, n int) string {
		return `{"id": "` + id + `", "text": "` + list(n, "a", " ") + `", "cell": "[` + list(n, "0", ",") +
			`]", "parts": [` + list(n, `"a"`, ",") + "]}\n"
	}
	dir := testenv.Directory(t, map[string]string{
		"rows.jsonl": row("x", most) + row("y", most+1), "kinds.csv": "kind,name\na,b\n",
		"side.csv": "id,v\n" + list(most, "x,1", "\n") + "\n" + list(most+1, "y,1", "\n") + "\n",
	})
	spec := jsonlSpec("rows.jsonl")
	spec.Derive = Derives{{Name: "words", Expr: `split(text, " ")`},
		{Name: "pairs", Expr: `zip(parts, parts).map(p, [p[0]])`}}
	spec.Join = []Join{
		{Kind: Chosen{"csv", csvOptions("side.csv")}, On: On{{"id", "id"}}, Prefix: "side.", Many: Many{Allowed: true}},
		{Kind: Chosen{"csv", csvOptions("kinds.csv")}, On: On{{"parts.*", "kind"}}, Prefix: "kind."},
	}
	for name, tt := range map[string]struct {
		column schema.Column
		record int // limits.record
	}{
		"a derived list":           {schema.Column{Name: "words"}, most * input.ElementSize},
		"a derived list of lists":  {schema.Column{Name: "pairs"}, 2 * most * input.ElementSize},
		"JSON in a cell":           {jsonColumn("cell"), most*input.ElementSize + len(`[]`) + 2*most - 1},
		"rows of a lookup table":   {schema.Column{Name: "side.v"}, most * input.ElementSize},
		"a value for each element": {schema.Column{Name: "kind.name"}, most * input.ElementSize},
	} {
		env := below(dir)
		s, _ := mustBind(t, env, spec, "id")
		l, err := s.Bind([]schema.Column{tt.column})
		if err == nil {
			err = s.LoadJoins(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		s.env.Limits.Record = tt.record
		r := l.NewReader()
		defer r.Close()
		var codes []string
		err = input.EachRow(t.Context(), s, 0, func(rec *input.Record) error {
			_, err := r.Read(0, rec.Offset, rec.Raw)
			bad, _ := errors.AsType[*schema.RowError](err)
			if bad == nil {
				codes = append(codes, "")
				return err
			}
			codes = append(codes, bad.Code)
			return nil
		})
		if err != nil || strings.Join(codes, ",") != ",LIMIT_RECORD" {
			t.Errorf("%s: %q, %v", name, codes, err)
		}
	}
}
