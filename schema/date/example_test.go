package date_test

import (
	"fmt"

	"tfr-build/schema/date"
)

func Example() {
	zone, err := date.FindZone("Europe/Paris")
	if err != nil {
		panic(err)
	}
	p, err := date.Compile("%d/%m/%Y %H:%M", date.Milliseconds, zone)
	if err != nil {
		panic(err)
	}
	for _, text := range []string{"31/12/1999 23:59", "31/03/2024 02:30"} {
		x, problem := p.Parse([]byte(text))
		if problem.Reason != date.Fine {
			message, _ := p.Explain([]byte(text), problem)
			fmt.Println(text, message)
			continue
		}
		fmt.Println(x)
	}
	// Output:
	// 946681140000
	// 31/03/2024 02:30 is a time that the clocks of Europe/Paris skip
}
