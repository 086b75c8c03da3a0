package schema_test

import (
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"tfr-build/internal/testenv"
	"tfr-build/internal/tftest"
	"tfr-build/schema"
)

// A tensorCase has the bytes that the encoder made from values.
type tensorCase struct {
	Type    string   `json:"type"`
	Shape   []int    `json:"shape"`
	Texts   []string `json:"texts"`
	Tensor  string   `json:"tensor"`
	Raw     string   `json:"raw"`
	Example string   `json:"example"`
	JSON    string   `json:"json"`
}

// blob returns the only value of an OFRecord's only feature, a bytes_list with the key k.
func blob(t *testing.T, f schema.Feature, row schema.Value) string {
	t.Helper()
	r := schema.Record{Message: schema.BytesMessage, Column: "k"}
	f.Key, f.Columns = "k", []string{"k"}
	record := encode(t, schema.Record{Message: schema.JSONMessage, Features: []schema.Feature{f}}, row)
	var object map[string][]byte
	if err := json.Unmarshal(record, &object); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(encode(t, r, schema.Value{Kind: schema.Bytes, Text: object["k"]}))
}

// Tensors and raw bytes of all types and of many shapes equal the bytes of TensorFlow and numpy. So
// does the JSON of an Example.
func TestSameBytesAsTensorFlow(t *testing.T) {
	tftest.Python(t)
	r := rand.New(rand.NewPCG(8, 8))
	names := []string{"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool", "float16",
		"bfloat16", "float32", "float64", "string"}
	shapes := [][]int{nil, {1}, {3}, {2, 2}, {1, 2, 1, 3}, {300}, {-1}, {-1, 2}}
	path := filepath.Join(t.TempDir(), "cases.jsonl")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := json.NewEncoder(file)
	for range testenv.Times(1, 10, 50) {
		for _, name := range names {
			typ, _ := schema.ParseType(name)
			for _, shape := range shapes {
				c := newTensorCase(t, r, typ, shape)
				c.Type = name
				if err := lines.Encode(c); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	tftest.Run(t, filepath.Join("testdata", "tensors.py"), path)
}

func newTensorCase(t *testing.T, r *rand.Rand, typ schema.Type, shape []int) tensorCase {
	c := tensorCase{Shape: append([]int{}, shape...), Texts: []string{}}
	if len(shape) > 0 && shape[0] < 0 {
		c.Shape[0] = r.IntN(3)
	}
	row := schema.Value{Kind: schema.List}
	for range oracleSize(c.Shape) {
		s := randomText(r, typ)
		c.Texts = append(c.Texts, s)
		row.List = append(row.List, text(s))
	}
	if len(shape) == 0 {
		row = row.List[0]
	}
	f := schema.Feature{Type: typ, Shape: shape, Tensor: true}
	c.Tensor = blob(t, f, row)
	if typ == schema.StringType {
		return c
	}
	f.Tensor, f.Raw = false, true
	c.Raw = blob(t, f, row)
	if typ == schema.Float16 || typ == schema.Bfloat16 || typ == schema.Uint64 {
		return c
	}
	f.Key, f.Columns, f.Raw = "é\"", []string{"k"}, false
	if len(shape) > 0 {
		f.Shape = []int{-1}
	}
	example := schema.Record{Features: []schema.Feature{f}}
	c.Example = hex.EncodeToString(encode(t, example, row))
	example.Message = schema.JSONExampleMessage
	c.JSON = string(encode(t, example, row))
	return c
}

func randomText(r *rand.Rand, typ schema.Type) string {
	switch typ {
	case schema.BoolType:
		return strconv.FormatBool(r.IntN(2) == 0)
	case schema.StringType:
		return []string{"", "é", "goat", "\x00"}[r.IntN(4)]
	case schema.Int8, schema.Int16, schema.Int32, schema.Int64:
		size := map[schema.Type]int{schema.Int8: 8, schema.Int16: 16, schema.Int32: 32, schema.Int64: 64}[typ]
		return strconv.FormatInt(int64(r.Uint64())>>(64-size), 10)
	case schema.Uint8, schema.Uint16, schema.Uint32, schema.Uint64:
		size := map[schema.Type]int{schema.Uint8: 8, schema.Uint16: 16, schema.Uint32: 32, schema.Uint64: 64}[typ]
		return strconv.FormatUint(r.Uint64()>>(64-size), 10)
	}
	return strconv.FormatFloat(r.NormFloat64()*100, 'g', 1+r.IntN(15), 64)
}
