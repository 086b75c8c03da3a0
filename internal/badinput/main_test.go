package badinput

import (
	"testing"

	"tfr-build/internal/testenv"
)

func TestMain(m *testing.M) { testenv.Main(m) }
