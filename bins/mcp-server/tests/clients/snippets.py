"""Writes the code of the MCP page into files. usage: python snippets.py URL FOLDER

Each is named after its section and its place there: `python-sdk-1.py`.
"""

import html.parser
import pathlib
import sys
import urllib.request

SUFFIXES = {"typescript": "mjs", "python": "py", "shell": "sh", "text": "txt", "json": "json", "toml": "toml"}


class Snippets(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.section = "top"
        self.counts: dict[str, int] = {}
        self.current: str | None = None
        self.files: dict[str, str] = {}

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        if tag in ("h2", "h3"):
            self.section = found["id"] or ""
        language = (found.get("class") or "").removeprefix("language-")
        if tag == "code" and language in SUFFIXES:
            number = self.counts[self.section] = self.counts.get(self.section, 0) + 1
            self.current = f"{self.section}-{number}.{SUFFIXES[language]}"
            self.files[self.current] = ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "code":
            self.current = None

    def handle_data(self, data: str) -> None:
        if self.current:
            self.files[self.current] += data


url, folder = sys.argv[1], pathlib.Path(sys.argv[2])
page = Snippets()
page.feed(urllib.request.urlopen(url).read().decode())
folder.mkdir(parents=True, exist_ok=True)
for name, text in page.files.items():
    (folder / name).write_text(text + "\n")
