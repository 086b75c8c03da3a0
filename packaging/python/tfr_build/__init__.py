"""Reads datasets of tfr-build: tfr_build.reader with TensorFlow, tfr_build.torch with
PyTorch or NumPy alone."""

from tfr_build import _dataset  # noqa: F401: workers import a dataset's reader by its name alone
