package expr

import (
	"strconv"
	"testing"

	"cel.dev/cel-go/cel"

	"tfr-build/expr"
	"tfr-build/schema"
)

// A ride is a row: the cells of a table, and the same values as CEL takes them.
type ride struct {
	cells []schema.Value
	typed map[string]any
}

func rides() []ride {
	rows := make([]ride, 1024)
	for i := range rows {
		fare, passengers := float64(i*7919%10000)/100, int64(i%7)
		vendor := []string{"CMT", "VTS", "DDS"}[i%3]
		rows[i].typed = map[string]any{"fare": fare, "passengers": passengers, "vendor": vendor}
		for _, cell := range []string{strconv.FormatFloat(fare, 'f', 2, 64), strconv.FormatInt(passengers, 10),
			vendor} {
			rows[i].cells = append(rows[i].cells, schema.Value{Kind: schema.Text, Text: []byte(cell)})
		}
	}
	return rows
}

// BenchmarkWhere evaluates a condition in both languages. Package expr reads the numbers from cells;
// CEL gets them as numbers, and so does less.
func BenchmarkWhere(b *testing.B) {
	env, err := cel.NewEnv(cel.Variable("fare", cel.DoubleType), cel.Variable("passengers", cel.IntType),
		cel.Variable("vendor", cel.StringType))
	if err != nil {
		b.Fatal(err)
	}
	rows := rides()
	for _, condition := range []struct{ name, ours, theirs string }{
		{"and", `fare >= 0 && passengers < 7 && vendor in ["CMT", "VTS"]`,
			`fare >= 0.0 && passengers < 7 && vendor in ["CMT", "VTS"]`},
		{"quotient", `fare / (passengers + 1) > 2.5`, `fare / double(passengers + 1) > 2.5`},
	} {
		b.Run(condition.name+"/expr", func(b *testing.B) { benchmarkOurs(b, condition.ours, rows) })
		for name, options := range map[string][]cel.ProgramOption{
			"cel":         {cel.EvalOptions(cel.OptOptimize)},
			"cel-bounded": {cel.EvalOptions(cel.OptOptimize), cel.CostLimit(1_000_000)},
		} {
			b.Run(condition.name+"/"+name, func(b *testing.B) { benchmarkCEL(b, env, condition.theirs, rows, options) })
		}
	}
}

func benchmarkOurs(b *testing.B, condition string, rows []ride) {
	p, fault := expr.Compile(condition, func(string) (expr.Type, bool) { return expr.Dynamic, true })
	if fault != nil {
		b.Fatal(fault)
	}
	e := p.Bind([]int{0, 1, 2}[:len(p.Columns())], nil)
	for i := 0; b.Loop(); i++ {
		if _, bad := e.Bool(rows[i%len(rows)].cells); bad != nil {
			b.Fatal(bad)
		}
	}
}

func benchmarkCEL(b *testing.B, env *cel.Env, condition string, rows []ride, options []cel.ProgramOption) {
	ast, issues := env.Compile(condition)
	if issues.Err() != nil {
		b.Fatal(issues.Err())
	}
	program, err := env.Program(ast, options...)
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; b.Loop(); i++ {
		if _, _, err := program.Eval(rows[i%len(rows)].typed); err != nil {
			b.Fatal(err)
		}
	}
}
