# SPDX-License-Identifier: MIT
"""The texts of templates by Jinja itself, set up as chat templates expect it.

Reads [{"template": ..., "names": {...}}, ...] from standard input, prints [{"text": ...} or {"error": ...}, ...].
"""
import datetime
import json
import sys

try:
    from jinja2.ext import Extension
    from jinja2 import nodes
    from jinja2.exceptions import TemplateError
    from jinja2.sandbox import ImmutableSandboxedEnvironment
except ImportError:
    sys.exit("no jinja2")


class Generation(Extension):
    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(["name:endgeneration"], drop_needle=True)
        return nodes.CallBlock(self.call_method("text"), [], [], body).set_lineno(line)

    def text(self, caller):
        return caller()


def raise_exception(text):
    raise TemplateError(text)


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


environment = ImmutableSandboxedEnvironment(
    trim_blocks=True, lstrip_blocks=True, extensions=[Generation, "jinja2.ext.loopcontrols"])
environment.filters["tojson"] = tojson
environment.globals["raise_exception"] = raise_exception
environment.globals["strftime_now"] = lambda form: datetime.datetime(2026, 8, 1).strftime(form)

results = []
for case in json.load(sys.stdin):
    try:
        results.append({"text": environment.from_string(case["template"]).render(**case["names"])})
    except Exception as error:  # whatever the template does
        results.append({"error": f"{type(error).__name__}: {error}"})
json.dump(results, sys.stdout)
