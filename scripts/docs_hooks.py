"""What mkdocs does besides rendering the pages below docs: see scripts/docs.

- The change log, CONTRIBUTING, and SECURITY become pages.
- Files of the project that pages link to are copied to source/.
- The sample report is added, and a page with the help of each command.
- llms.txt lists all pages with their first sentence.
"""

import os
import posixpath
import re

from mkdocs.structure.files import File

PROJECT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGES = {
    "CHANGELOG.md": "development/changes.md",
    "CONTRIBUTING.md": "development/contributing.md",
    "SECURITY.md": "development/security.md",
}
LESS_FOUND = ("reference/commands.md", "development/architecture.md", "development/changes.md")  # they have the words of all pages
LINK = re.compile(r"\]\(([^)#\s]+)((?:#[^)\s]*)?)\)")
summaries = {}


def relink(text, old, new, on_file):
    """Makes the links of a page of the project, at old, those of a page of the site, at new."""

    def replace(match):
        target = match[1]
        if "://" in target:
            return match[0]
        path = posixpath.normpath(posixpath.join(posixpath.dirname(old), target))
        if path in PAGES:
            site = PAGES[path]
        elif path.startswith("docs/"):
            site = path[len("docs/"):]
        elif path == "README.md":
            site = "index.md"
        else:
            site = "source/" + path
            on_file(path, site)
        return f"]({posixpath.relpath(site, posixpath.dirname(new) or '.')}{match[2]})"

    return LINK.sub(replace, text)


def on_files(files, config):
    for name, page in PAGES.items():
        with open(os.path.join(PROJECT, name), encoding="utf-8") as f:
            files.append(File.generated(config, page, content=f.read()))
    files.append(File.generated(config, "reference/commands.md", abs_src_path=os.environ["COMMANDS"]))
    files.append(File.generated(config, "sample-report.html", abs_src_path=os.environ["SAMPLE_REPORT"]))
    return files


def on_page_markdown(markdown, page, config, files):
    def add(path, site):
        if files.get_file_from_path(site) is None and os.path.isfile(os.path.join(PROJECT, path)):
            files.append(File.generated(config, site, abs_src_path=os.path.join(PROJECT, path)))

    new = page.file.src_uri
    if new in LESS_FOUND:
        page.meta["search"] = {"boost": 0.2}
    old = next((name for name, site in PAGES.items() if site == new), "docs/" + new)
    return relink(markdown, old, new, add)


def on_page_content(html, page, config, files):
    paragraph = re.search(r"<p>(.*?)</p>", re.sub(r"<p><img[^>]*></p>", "", html), re.S)
    text = re.sub(r"<[^>]*>|\s+", lambda m: " " if m[0].isspace() else "", paragraph[1]) if paragraph else ""
    summaries[page.file.src_uri] = (page.title, re.split(r"(?<=[.!?]) ", text)[0].strip())


def on_post_build(config):
    with open(os.path.join(config["site_dir"], "llms.txt"), "w", encoding="utf-8") as f:
        f.write(f"# {config['site_name']}\n\n> {config['site_description']}\n\n")
        list_pages(f, config["nav"], 2, config)


def list_pages(f, nav, level, config):
    for item in nav:
        for title, value in (item.items() if isinstance(item, dict) else [(None, item)]):
            if isinstance(value, list):
                f.write(f"\n{'#' * level} {title}\n\n")
                list_pages(f, value, level + 1, config)
            else:
                title, sentence = summaries[value]
                f.write(f"- [{title}]({value[:-3]}.html): {sentence}\n")
