#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Check that every link of the documentation leads somewhere.

usage: check_links.py [ROOT]          the Markdown files of a source tree (default: here)
       check_links.py --site FOLDER   the pages of a built site

Markdown: the file or folder of every relative link and picture exists, inside the tree, and its anchor is a heading of that page;
so does every file that is named in code with its folder (`tools/LAYERS`), unless a listing of the page is that file.
Site: the same for href and src of every page, and nothing is loaded from another host. Addresses of other hosts in links are
not visited: the check needs no network. Every dead link is printed as file:line: reason; the exit code is 1 when there is one."""
import functools
import html.parser
import pathlib
import re
import sys
import urllib.parse

SKIPPED = {".git", "build", "out", "node_modules", "dist", "dist-test", "__pycache__"}
FENCE = re.compile(r"^ {0,3}(```+|~~~+)")
HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.*?)\s*#*\s*$")
CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
# [text](target "title"), ![text](target); the target of [name]: target; src and href of a tag
LINKS = (re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+[\"'][^)]*)?\s*\)"), re.compile(r"^ {0,3}\[[^\]]+\]:\s*(\S+)"),
         re.compile(r"<(?:a|img)\b[^>]*?\b(?:href|src)=[\"']([^\"']+)[\"']"))
# a path in code, from the root of the tree or from the folder of the page; what builds make is not there yet
NAMED = re.compile(r"`((?:app|docs|examples|include|models|src|tests|tools|web)/(?!dist)[\w./-]+)`")
OTHER = re.compile(r"^([a-z][a-z0-9+.-]*:|//)", re.IGNORECASE)


def prose(path):
    """(number, line) outside of listings: fenced ones, and indented ones behind an empty line."""
    fence, before, is_listing = None, "", False
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        mark = FENCE.match(line)
        if fence:
            if mark and mark.group(1).startswith(fence):
                fence = None
        elif mark:
            fence = mark.group(1)
        else:
            is_listing = line.startswith("    ") and (is_listing or not before.strip())
            if not is_listing:
                yield number, line
        before = line


def slug(heading):
    """The anchor that a heading gets: small letters, digits, - and _; spaces become -."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading.replace("`", ""))
    text = re.sub(r"(\*\*|\*)", "", text)
    return "".join("-" if c == " " else c for c in text.lower() if c.isalnum() or c in " -_")


def slug_of_site(heading, _separator):
    """The same for the site, which hands over a heading without its marks."""
    return slug(heading)


@functools.lru_cache(maxsize=None)
def anchors(path):
    found, seen = set(), {}
    for _, line in prose(path):
        heading = HEADING.match(line)
        if heading:
            name = slug(heading.group(1))
            count = seen[name] = seen.get(name, -1) + 1
            found.add(f"{name}-{count}" if count else name)
        found.update(re.findall(r"<a (?:id|name)=[\"']([^\"']+)[\"']", line))
    return found


def dead(root, page, target):
    """Why a link of a page leads nowhere, or None."""
    if OTHER.match(target):
        return None
    name, _, anchor = target.partition("#")
    path = (page.parent / urllib.parse.unquote(name)).resolve() if name else page
    if name.startswith("/") or not path.is_relative_to(root):
        return f"{target} leads out of the tree"
    if not path.exists():
        return f"{target} does not exist"
    if path.is_dir():
        path = path / "README.md"
    if anchor and path.suffix == ".md" and urllib.parse.unquote(anchor) not in anchors(path):
        return f"{target}: there is no such heading"
    return None


@functools.lru_cache(maxsize=None)
def made(page):
    """Files that readers write from listings of the page: ```c src/x.c."""
    return set(re.findall(r"^```\w+ ([\w./-]+)$", page.read_text(encoding="utf-8"), re.M))


def missing(root, page, name):
    """Why a file named in code is not there, or None."""
    is_there = (root / name).exists() or (page.parent / name).exists() or name in made(page)
    return None if is_there else f"{name} is named but does not exist"


def broken(root, page, line):
    """Reasons of one line, and how many links it has."""
    targets = [target for pattern in LINKS for target in pattern.findall(CODE.sub("``", line))]
    names = NAMED.findall(line)
    reasons = [dead(root, page, target) for target in targets] + [missing(root, page, name) for name in names]
    return [reason for reason in reasons if reason], len(reasons)


def markdown(root):
    return [path for path in sorted(root.rglob("*.md")) if not SKIPPED & set(path.relative_to(root).parts[:-1])]


def check_tree(root):
    pages = markdown(root)
    count = 0
    for page in pages:
        for number, line in prose(page):
            reasons, links = broken(root, page, line)
            count += links
            yield from (f"{page.relative_to(root)}:{number}: {reason}" for reason in reasons)
    print(f"{len(pages)} pages, {count} links", file=sys.stderr)
    if not pages:
        yield f"{root}: no Markdown here"


class Page(html.parser.HTMLParser):
    """Links of a built page with their lines, and its anchors."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text(encoding="utf-8", errors="replace"))

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)
            elif name in ("href", "src") and value:
                # what a page loads by itself, unlike what it leads to
                self.links.append((self.getpos()[0], value, name == "src" or tag == "link"))


def check_site(root):
    pages = {path: Page(path) for path in sorted(root.rglob("*.html"))}
    count = 0
    for path, page in pages.items():
        for number, target, is_loaded in page.links:
            where = f"{path.relative_to(root)}:{number}"
            count += 1
            if OTHER.match(target):
                if is_loaded and re.match(r"(https?:)?//", target):
                    yield f"{where}: {target} is loaded from another host"
                continue
            name, _, anchor = target.partition("#")
            other = (path.parent / urllib.parse.unquote(name.partition("?")[0])).resolve() if name else path
            if name.startswith("/"):
                yield f"{where}: {target} holds only where the site is the root of its host"
            elif not other.is_file():
                yield f"{where}: {target} does not exist"
            elif anchor and other in pages and urllib.parse.unquote(anchor) not in pages[other].anchors:
                yield f"{where}: {target}: there is no such anchor"
    print(f"{len(pages)} pages, {count} links", file=sys.stderr)
    if not pages:
        yield f"{root}: no pages here"


def main(arguments):
    check = check_site if arguments[:1] == ["--site"] else check_tree
    names = arguments[1:] if check is check_site else arguments
    found = list(check(pathlib.Path(names[0] if names else ".").resolve()))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
