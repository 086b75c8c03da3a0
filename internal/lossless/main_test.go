package lossless

import (
	"os"
	"testing"

	"tfr-build/internal/testenv"
)

func TestMain(m *testing.M) { os.Exit(testenv.InMemory(m).Run()) }
