#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gather the pages of the documentation site: stage.py ROOT SOURCE SITE

Copies every Markdown file of the tree and what they link to into SOURCE/pages, at the same places, and writes SOURCE/mkdocs.yml.
The pages stay as they are but for three things: the tag of a listing is its language alone, a link to a folder leads to its
README, a link to a public header leads to its page of the API.
Where build/page was made (tools/page), models live in the pages, from SITE/live: after a whole model of the guide, on the page of
each model, and where a page says <!-- live: NAME -->; not after <!-- not live -->."""
import html
import json
import pathlib
import re
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import check_links  # noqa: E402

HEADER = """site_name: Biela
site_dir: {site}
docs_dir: {pages}
use_directory_urls: false
theme:
  name: material
  custom_dir: {parts}
  font: false
  palette:
    - {{scheme: default, primary: blue grey, accent: deep orange, toggle: {{icon: material/weather-night, name: dark}}}}
    - {{scheme: slate, primary: blue grey, accent: deep orange, toggle: {{icon: material/weather-sunny, name: light}}}}
  features: [navigation.tabs, navigation.top, toc.integrate, search.highlight]
extra: {{generator: false, homepage: index.html}}
plugins: [search]
markdown_extensions:
  - tables
  - toc:
      slugify: !!python/name:check_links.slug_of_site
      permalink: true
  - pymdownx.highlight: {{use_pygments: true}}
  - pymdownx.superfences
nav: {nav}
"""
# a link with the place it leads to
LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")


def title(page):
    for _, line in check_links.prose(page):
        heading = check_links.HEADING.match(line)
        if heading:
            return heading.group(1).replace("`", "")
    return page.stem


def linked(root, page):
    """Files of the tree that a page links to or shows."""
    for _, line in check_links.prose(page):
        for pattern in check_links.LINKS:
            for target in pattern.findall(check_links.CODE.sub("``", line)):
                path = (page.parent / target.partition("#")[0]).resolve()
                if not check_links.OTHER.match(target) and path.is_file() and path.suffix != ".md":
                    yield path


# a listing that is a whole model, and needs no other file
LISTING = re.compile(r"(?<!<!-- not live -->\n)^```yaml [\w.-]+\.yaml\n(biela: 1\n.*?)^```\n", flags=re.MULTILINE | re.DOTALL)
OTHERS = re.compile(r"\b(file|mesh|include)\b *:")
PLACE = re.compile(r"^<!-- live: ([\w-]+)(?: run=([\w-]+))? -->$", flags=re.MULTILINE)


def with_models(root, page, text):
    """The text with models that live in it."""
    path = page.relative_to(root)
    source = "../" * len(path.parts[:-1]) + "live/embed.js"

    def after(match):
        if OTHERS.search(match.group(1)):
            return match.group(0)
        model = html.escape(match.group(1)).replace("\n", "&#10;")
        return f'{match.group(0)}\n<script src="{source}" data-text="{model}"></script>\n'

    def here(match):
        run = f' data-run="{match.group(2)}"' if match.group(2) else ""
        return f'<script src="{source}" data-model="{match.group(1)}"{run}></script>'

    # what a page adds to the engine, the engine of the site does not have
    if path.parts[:2] == ("docs", "guide") and not path.stem.startswith("add-"):
        text = LISTING.sub(after, text)
    if path.parts[0] == "models" and path.name == "README.md" and len(path.parts) == 3:
        text = re.sub(r"^(# .*\n)", rf'\1\n<script src="{source}" data-model="{path.parts[1]}"></script>\n', text, count=1, flags=re.MULTILINE)
    return PLACE.sub(here, text)


def with_links(root, page, text):
    """The text with links that a site can follow."""
    def turned(match):
        path = (page.parent / match.group(2)).resolve()
        if path.is_dir() and (path / "README.md").is_file():
            return f"{match.group(1)}{match.group(2).rstrip('/')}/README.md{match.group(3)}"
        if path.parent == root / "include/biela":
            up = "../" * len(page.relative_to(root).parts[:-1])
            return f"{match.group(1)}{up}api/{path.stem}_8h.html{match.group(3)}"
        return match.group(0)
    text = LINK.sub(turned, text)
    return re.sub(r"^```([a-z]+) .*$", r"```\1", text, flags=re.MULTILINE)


def in_order(root, folder):
    """Pages of a folder: its README, those that it lists, the others."""
    readme = root / folder / "README.md"
    pages = [readme] if readme.is_file() else []
    if pages:
        for target in re.findall(r"\]\(([\w.-]+\.md)\)", readme.read_text(encoding="utf-8")):
            pages.append(root / folder / target)
    pages += sorted((root / folder).glob("*.md"))
    return list(dict.fromkeys(pages))


def entries(root, pages):
    return [{title(page): page.relative_to(root).as_posix()} for page in pages]


def navigation(root):
    rooms = sorted(page for top in ("src", "app", "web") for page in (root / top).rglob("README.md")
                   if not check_links.SKIPPED & set(page.relative_to(root).parts))
    overview = [{"Biela": "README.md"}, *entries(root, [root / f"docs/{name}.md" for name in ("features", "results", "limits")])]
    inside = entries(root, [root / name for name in ("ARCHITECTURE.md", "docs/decisions.md", "CONTRIBUTING.md", "docs/style.md", "CHANGELOG.md")])
    models = entries(root, [root / "docs/models.md", *sorted((root / "models").glob("*/README.md"))])
    return [{"Home": overview}, {"Guide": entries(root, in_order(root, "docs/guide"))}, {"Models": models},
            {"Reference": entries(root, in_order(root, "docs/reference"))}, {"Theory": entries(root, in_order(root, "docs/theory"))},
            {"API in C": "api/files.html"}, {"Inside": inside + [{"Rooms": entries(root, rooms)}]}]


def main():
    root, source, site = (pathlib.Path(name).resolve() for name in sys.argv[1:4])
    pages = source / "pages"
    shutil.rmtree(source, ignore_errors=True)
    for page in check_links.markdown(root):
        copy = pages / page.relative_to(root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        text = page.read_text(encoding="utf-8")
        text = with_models(root, page, text) if (root / "build/page/embed.js").is_file() else text
        copy.write_text(with_links(root, page, text), encoding="utf-8")
        for path in linked(root, page):
            other = pages / path.relative_to(root)
            other.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, other)
    parts = pathlib.Path(__file__).resolve().parent
    (pages / "search").mkdir()
    shutil.copyfile(parts / "worker.js", pages / "search/worker.js")
    (source / "theme").mkdir()
    shutil.copyfile(parts / "main.html", source / "theme/main.html")
    text = HEADER.format(site=json.dumps(str(site)), pages=json.dumps(str(pages)), parts=json.dumps(str(source / "theme")),
                         nav=json.dumps(navigation(root), ensure_ascii=False))
    (source / "mkdocs.yml").write_text(text, encoding="utf-8")


main()
