"""Reads what pipelines use of JSON5: comments, bare names, single quotes, trailing commas."""
import json
import re

TOKEN = re.compile(r"""
    (?P<skip>\s+|//[^\n]*|/\*.*?\*/)
  | (?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
  | (?P<comma>,)
  | (?P<mark>[\[\]{}:])
  | (?P<word>[^\s,:\[\]{}"'/]+)
""", re.VERBOSE | re.DOTALL)


def loads(text):
    out, at, comma = [], 0, False
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise ValueError(f"JSON5: cannot read {text[at:at + 20]!r}")
        at = match.end()
        kind, token = match.lastgroup, match.group()
        if kind == "skip":
            continue
        if kind == "comma":
            comma = True
            continue
        if comma and token not in "]}":
            out.append(",")
        comma = False
        if kind == "string" and token[0] == "'":
            token = json.dumps(token[1:-1].replace("\\'", "'"))
        elif kind == "word" and re.match(r"[ \t\n]*:", text[at:]):
            token = json.dumps(token)
        out.append(token)
    return json.loads("".join(out))
