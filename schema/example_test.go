package schema_test

import (
	"fmt"

	"google.golang.org/protobuf/proto"

	"tfr-build/schema"
	"tfr-build/schema/tfpb"
)

func Example() {
	s, err := schema.Compile(schema.Record{Features: []schema.Feature{
		{Key: "age", Type: schema.Int64, Columns: []string{"AGE"}},
		{Key: "species", Type: schema.Int64, Columns: []string{"species"},
			Classes: &schema.Classes{Names: []string{"cat", "dog"}}},
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("columns:", s.Columns()[0].Name, s.Columns()[1].Name)

	// One encoder a goroutine, one buffer for all its rows.
	encoder := s.NewEncoder()
	var buf []byte
	for _, row := range [][2]string{{"3", "dog"}, {"NA", "cat"}} {
		vals := []schema.Value{
			{Kind: schema.Text, Text: []byte(row[0])},
			{Kind: schema.Text, Text: []byte(row[1])},
		}
		buf, err = encoder.Append(buf[:0], vals)
		if err != nil {
			fmt.Println(err)
			continue
		}
		var example tfpb.Example
		if err := proto.Unmarshal(buf, &example); err != nil {
			fmt.Println(err)
			return
		}
		for _, key := range []string{"age", "species"} {
			fmt.Println(key, example.Features.Feature[key].GetInt64List().GetValue())
		}
	}
	// Output:
	// columns: AGE species
	// age [3]
	// species [1]
	// column "AGE" (feature "age"): "NA" is not an int64 [INT_SYNTAX]
}
