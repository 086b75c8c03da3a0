"""Holds a workflow of Argo, as JSON from the standard input, against the types that hera
has made of Argo's own description of its API. A key that is not there is an error."""

import json
import sys

from hera.shared import _pydantic

_pydantic.APIBaseModel.model_config["extra"] = "forbid"

from hera.workflows.models import Workflow  # noqa: E402, its classes take the configuration

Workflow.model_validate(json.load(sys.stdin))
